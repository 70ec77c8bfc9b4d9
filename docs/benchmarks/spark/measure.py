"""Runs job.py with each arm's settings by turns, and writes what the executor's memory was.

Resident memory is RssAnon of the executor's process without its Java heap, which has a fixed size and
is touched at the start. Called by ./run, which makes ready what this needs.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
HEAP_BYTES = 1 << 30
SAMPLE_SECONDS = 0.1
# A run takes two minutes; one that takes five is stuck.
LIMIT_SECONDS = 300
OPTIONS = ("spark.driver.extraJavaOptions", "spark.executor.extraJavaOptions")


def settings(arm, jars):
    """What spark-defaults.conf says of an arm; options of JVMs are added up."""
    merged = {}
    for name in ("common", arm):
        for line in (HERE / "conf" / f"{name}.conf").read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                key, value = line.split(None, 1)
                value = value.format(**jars)
                merged[key] = f"{merged[key]} {value}" if key in OPTIONS and key in merged else value
    return merged


def anonymous_bytes(pid):
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    found = re.search(r"^RssAnon:\s+(\d+) kB", status, re.M)
    return int(found[1]) * 1024 if found else 0


def processes():
    """Number, parent and command line of what runs."""
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            yield int(folder.name), parent, (folder / "cmdline").read_text()
        except (OSError, ValueError):
            continue


def descendants(ancestor):
    children = {}
    for pid, parent, _ in processes():
        children.setdefault(parent, []).append(pid)
    found, rest = [], [ancestor]
    while rest:
        more = children.get(rest.pop(), [])
        found += more
        rest += more
    return found


class Sampler(threading.Thread):
    """Watches the executor that has a mark in its command line."""

    def __init__(self, mark):
        super().__init__(daemon=True)
        self.mark = mark
        self.executor = None
        self.peak = 0
        self.python_peak = 0
        self.ended = threading.Event()

    def run(self):
        count = 0
        while not self.ended.wait(SAMPLE_SECONDS):
            if self.executor is None:
                self.executor = self.find()
                continue
            self.peak = max(self.peak, anonymous_bytes(self.executor))
            count += 1
            if count % 5 == 0:
                self.python_peak = max(self.python_peak, self.python_bytes())

    def find(self):
        for pid, _, command in processes():
            # The shell that starts it has the mark, too.
            if self.mark in command and "CoarseGrainedExecutorBackend" in command and "java\0" in command:
                return pid
        return None

    def python_bytes(self):
        return sum(anonymous_bytes(pid) for pid in descendants(self.executor))

    def step(self):
        """The highest figure since the last step, and the one of now."""
        peak, self.peak = self.peak, 0
        return {"peak": peak - HEAP_BYTES, "now": anonymous_bytes(self.executor) - HEAP_BYTES}


def run_once(arm, arguments, jars, scratch):
    mark = f"arenal.run={os.getpid()}-{time.monotonic_ns()}"
    wanted = settings(arm, jars)
    for key in OPTIONS:
        wanted[key] = f"{wanted.get(key, '')} -D{mark}".strip()
    wanted["spark.local.dir"] = str(scratch / "local")
    conf = scratch / "spark-defaults.conf"
    conf.write_text("".join(f"{key} {value}\n" for key, value in wanted.items()))
    home = spark_home(arguments.spark_home, scratch)
    command = [f"{home}/bin/spark-submit", "--properties-file", conf, HERE / "job.py", str(arguments.idle)]
    environment = dict(
        os.environ,
        SPARK_HOME=str(home),
        SPARK_CONF_DIR=str(scratch),
        SPARK_LOCAL_IP="127.0.0.1",
        PYSPARK_PYTHON=sys.executable,
        JAVA_HOME=arguments.java_home,
    )
    log = (arguments.out / f"{arm}.log").open("ab")
    job = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment, start_new_session=True, cwd=scratch
    )
    stop = threading.Timer(LIMIT_SECONDS + arguments.idle, os.killpg, (job.pid, signal.SIGKILL))
    stop.start()
    sampler = Sampler(mark)
    sampler.start()
    try:
        return read(job, sampler, arm)
    finally:
        stop.cancel()
        sampler.ended.set()
        if job.poll() is None:
            os.killpg(job.pid, signal.SIGKILL)
        log.close()
        keep_executor_log(home / "work", arguments.out / f"{arm}-executor.log")


def read(job, sampler, arm):
    """What the job says, with the memory at that time."""
    row, begun = {"arm": arm}, 0.0
    for line in job.stdout:
        try:
            said = json.loads(line)
        except ValueError:
            continue
        step, memory = said["step"], sampler.step()
        if step.startswith("query"):
            row["beforeBytes" if step == "query1" else "idleBytes"] = memory["now"]
            begun = time.monotonic()
        elif step.startswith("result"):
            query = step.replace("result", "query")
            row[f"{query}Seconds"] = round(time.monotonic() - begun, 1)
            row[f"{query}PeakBytes"] = memory["peak"]
            row[f"{query}FreedBytes"] = memory["now"]
            row[f"{query}Hash"] = f"{said['rows']}:{said['hash']}"
    code = job.wait()
    if code != 0 or "query2Hash" not in row:
        raise SystemExit(f"measure: a run failed: arm={arm}, exitCode={code} (see {arm}.log)")
    row["pythonPeakBytes"] = sampler.python_peak
    return row


def spark_home(installed, scratch):
    """Spark's folder by links: executors of local-cluster write below it, and that goes with the scratch."""
    home = scratch / "home"
    home.mkdir()
    for entry in pathlib.Path(installed).iterdir():
        if entry.name != "work":
            (home / entry.name).symlink_to(entry)
    return home


def keep_executor_log(work, target):
    with target.open("ab") as out:
        for stderr in work.glob("app-*/*/stderr"):
            out.write(stderr.read_bytes())


def first(pattern, path):
    found = re.search(pattern, pathlib.Path(path).read_text(), re.M)
    return found[1].strip() if found else "unknown"


def facts(arguments, versions):
    java = subprocess.run([f"{arguments.java_home}/bin/java", "-version"], capture_output=True, text=True).stderr
    return {
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "jvm": re.search(r"^(OpenJDK.*VM).*\(build ([^,)]*)", java, re.M).expand(r"\1 \2"),
        "kernel": f"{platform.system()} {platform.release()}",
        "architecture": {"x86_64": "amd64"}.get(platform.machine(), platform.machine()),
        "processor": first(r"^model name\s*:(.*)$", "/proc/cpuinfo"),
        "cores": str(os.cpu_count()),
        "memory": f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') >> 30} GiB",
        "huge pages": pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text().strip(),
        "overcommit": pathlib.Path("/proc/sys/vm/overcommit_memory").read_text().strip(),
        **versions,
    }


def main():
    parser = argparse.ArgumentParser(prog="docs/benchmarks/spark/run")
    parser.add_argument("--runs", type=int, default=3, help="rounds, in each of which every arm runs once")
    parser.add_argument("--arms", default="arrow-netty,arrow-unsafe,arrow-unsafe-trim,arrow-netty-mmap,arenal,arenal-agent,arenal-mmap")
    parser.add_argument("--idle", type=float, default=60, help="seconds between the queries")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--java-home", required=True)
    parser.add_argument("--spark-home", required=True)
    parser.add_argument("--jar", action="append", default=[], metavar="NAME=PATH")
    arguments = parser.parse_args()
    # Ended from outside it ends the job too, and leaves no scratch.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    arguments.out.mkdir(parents=True, exist_ok=True)
    jars = dict(jar.split("=", 1) for jar in arguments.jar)
    rows = []
    for number in range(1, arguments.runs + 1):
        for arm in arguments.arms.split(","):
            with tempfile.TemporaryDirectory(prefix="arenal-spark-") as scratch:
                row = {"run": number, **run_once(arm, arguments, jars, pathlib.Path(scratch))}
            print(json.dumps(row), file=sys.stderr, flush=True)
            rows.append(row)
            write(arguments, rows)
    hashes = {row[f"query{q}Hash"] for row in rows for q in (1, 2)}
    if len(hashes) != 1:
        raise SystemExit(f"measure: queries have found different things: hashes={sorted(hashes)} (expected one)")


def write(arguments, rows):
    import pyarrow
    import pyspark

    versions = {"spark": pyspark.__version__, "pyarrow": pyarrow.__version__, "python": platform.python_version()}
    result = {"idleSeconds": arguments.idle, "heapBytes": HEAP_BYTES, "results": rows}
    (arguments.out / "spark.json").write_text(json.dumps(result, indent=2) + "\n")
    (arguments.out / "env.json").write_text(json.dumps(facts(arguments, versions), indent=2) + "\n")


if __name__ == "__main__":
    main()

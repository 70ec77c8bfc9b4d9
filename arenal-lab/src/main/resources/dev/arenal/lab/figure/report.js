"use strict";
(() => {
  const rawData = document.getElementById("data").textContent;
  const element = (name, className, text) => {
    const made = document.createElement(name);
    made.className = className || "";
    made.textContent = text || "";
    return made;
  };

  // Charts. Each knows its curves from its own data; those of a group show the same moment.
  const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");
  const digits = (value) => value > 0 && value < 1 ? Number(value.toPrecision(2)) : value.toFixed(1);
  const size = (value, unit) => value === null ? "-" : digits(value) + " " + unit;

  /** The index of the sample nearest to x; xs rise. */
  const nearest = (xs, x) => {
    let low = 0, high = xs.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (xs[middle] <= x) { low = middle; } else { high = middle; }
    }
    return high >= 0 && Math.abs(xs[high] - x) < Math.abs(xs[low] - x) ? high : low;
  };

  class Chart {
    constructor(figure) {
      this.data = JSON.parse(figure.dataset.chart);
      this.group = figure.dataset.group;
      this.plot = figure.querySelector(".plot");
      this.field = figure.querySelector(".field");
      this.outputs = [...figure.querySelectorAll(".legend output")];
      this.classes = [...figure.querySelectorAll(".field > svg path")].map((p) => p.getAttribute("class"));
      this.isSmall = figure.classList.contains("small");
      this.marks = [];
      this.xs = this.data.xs.reduce((all, xs) => xs.length > all.length ? xs : all, []);
      this.x = null;
      if (this.xs.length > 0) { this.listen(figure); }
    }

    listen(figure) {
      const plot = this.plot;
      plot.tabIndex = 0;
      plot.setAttribute("role", "slider");
      plot.setAttribute("aria-label", plot.getAttribute("aria-label") + ". Arrow keys move along it.");
      plot.setAttribute("aria-valuemin", 0);
      plot.setAttribute("aria-valuemax", this.data.xMax);
      plot.setAttribute("aria-valuenow", 0);
      const point = (event) => {
        const box = this.field.getBoundingClientRect();
        const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
        this.showAll(share * this.data.xMax);
      };
      plot.addEventListener("pointerdown", point);
      plot.addEventListener("pointermove", point);
      plot.addEventListener("pointerleave", (event) => {
        if (event.pointerType !== "touch") { this.showAll(null); }
      });
      plot.addEventListener("focus", () => {
        if (this.x === null && plot.matches(":focus-visible")) { this.showAll(this.xs[0]); }
      });
      plot.addEventListener("blur", () => this.showAll(null));
      plot.addEventListener("keydown", (event) => this.key(event));
    }

    key(event) {
      const last = this.xs.length - 1;
      const now = this.x === null ? 0 : nearest(this.xs, this.x);
      const big = Math.max(1, Math.round(last / 20));
      const to = {
        ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1,
        PageDown: now - big, PageUp: now + big, Home: 0, End: last
      }[event.key];
      if (event.key === "Escape") { this.showAll(null); }
      if (to !== undefined) {
        this.showAll(this.xs[Math.min(last, Math.max(0, to))]);
        event.preventDefault();
      }
    }

    showAll(x) {
      for (const chart of charts) {
        if (chart === this || this.group !== "" && chart.group === this.group) {
          chart.show(x, chart === this);
        }
      }
    }

    show(x, isPointedAt) {
      this.marks.forEach((mark) => mark.remove());
      this.marks = [];
      this.x = x;
      if (x === null) {
        this.outputs.forEach((output) => { output.textContent = ""; });
        return;
      }
      const at = this.xs[nearest(this.xs, x)];
      const left = (value) => 100 * value / this.data.xMax + "%";
      const values = this.data.series.map((series) => {
        const xs = this.data.xs[series.axis];
        const index = nearest(xs, x);
        return xs.length === 0 || x > xs[xs.length - 1] * 1.01 ? null : series.ys[index];
      });
      this.mark("cross").style.left = left(at);
      values.forEach((value, i) => {
        this.outputs[i].textContent = size(value, this.data.unit);
        if (value !== null) {
          const dot = this.mark("dot " + this.classes[i]);
          dot.style.left = left(at);
          dot.style.top = 100 * (1 - value / this.data.top) + "%";
        }
      });
      const text = this.data.series.map((series, i) => series.name + " " + size(values[i], this.data.unit));
      this.plot.setAttribute("aria-valuenow", at);
      this.plot.setAttribute("aria-valuetext", this.place(at) + ": " + text.join(", "));
      if (isPointedAt && !this.isSmall) { this.tip(at, values); }
    }

    mark(className) {
      const mark = element("div", className);
      mark.setAttribute("aria-hidden", "true");
      this.field.append(mark);
      this.marks.push(mark);
      return mark;
    }

    place(x) {
      return this.data.xUnit === "s" ? x.toFixed(1) + " s" : grouped(Number(x.toFixed(1))) + " " + this.data.xUnit;
    }

    /** The values beside the pointer, the highest first as the curves lie. */
    tip(at, values) {
      const tip = this.mark("tip");
      tip.append(element("b", "", this.place(at)));
      const table = element("table");
      const rows = this.data.series.map((series, i) => ({ name: series.name, value: values[i], i }));
      rows.sort((a, b) => (b.value === null ? -1 : b.value) - (a.value === null ? -1 : a.value));
      for (const { name, value, i } of rows) {
        const row = table.insertRow();
        const head = element("th");
        head.append(this.outputs[i].parentNode.querySelector(".key").cloneNode(true), " " + name);
        row.append(head, element("td", "", size(value, this.data.unit)));
      }
      tip.append(table);
      // Beside the pointer, to the right where there is room, and never outside the figure.
      const field = this.field.getBoundingClientRect();
      const figure = this.plot.parentNode.getBoundingClientRect();
      const x = field.width * at / this.data.xMax;
      const most = figure.right - field.left - tip.offsetWidth - 4;
      const wanted = x + 12 <= most ? x + 12 : x - 12 - tip.offsetWidth;
      tip.style.left = Math.min(most, Math.max(figure.left - field.left + 4, wanted)) + "px";
    }
  }

  const charts = [...document.querySelectorAll("figure.chart")].map((figure) => new Chart(figure));

  // The clipboard of pages from disk: where the browser has no other, it copies what is selected.
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = element("textarea", "clipboard");
      area.value = text;
      area.readOnly = true;
      document.body.append(area);
      area.select();
      const isCopied = document.execCommand("copy");
      area.remove();
      if (!isCopied) { throw new Error("the browser does not allow it"); }
    }
  };

  const copyButton = (button, text) => {
    const label = button.textContent;
    button.setAttribute("aria-live", "polite");
    let timer = 0;
    button.addEventListener("click", async () => {
      clearTimeout(timer);
      try {
        await copy(text());
        button.textContent = "Copied";
        button.classList.add("copied");
      } catch (error) {
        button.textContent = "Not copied: " + error.message;
      }
      button.focus();
      timer = setTimeout(() => {
        button.textContent = label;
        button.classList.remove("copied");
      }, 2000);
    });
  };

  /** A heading that spans columns is put before the name of each of them. */
  const markdown = (table) => {
    const cells = (row) => [...row.cells].flatMap((cell) =>
      Array(cell.colSpan).fill(cell.textContent.trim().replace(/\s+/g, " ").replaceAll("|", "\\|")));
    const heads = [...table.tHead.rows].map(cells);
    const names = heads[heads.length - 1];
    const title = (name, i) => heads.length > 1 && heads[0][i] !== "" ? heads[0][i] + ": " + name : name;
    const line = (texts) => "| " + texts.join(" | ") + " |";
    return [
      line(names.map(title)),
      line(names.map((_, i) => i === 0 ? "---" : "---:")),
      ...[...table.tBodies[0].rows].map((row) => line(cells(row)))
    ].join("\n") + "\n";
  };

  for (const box of document.querySelectorAll(".table")) {
    const table = box.querySelector("table");
    const button = element("button", "", "Copy as Markdown");
    button.type = "button";
    copyButton(button, () => markdown(table));
    const tools = element("div", "tools");
    tools.append(button);
    const whole = element("div", "tablebox");
    box.before(whole);
    whole.append(tools, box);
    // What scrolls must be reachable by keyboard too.
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Table");
  }

  const save = document.getElementById("save");
  save.hidden = false;
  save.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([rawData], { type: "application/json" }));
    link.download = "arenal-report.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  const copyJson = document.getElementById("copy-json");
  copyJson.hidden = false;
  copyButton(copyJson, () => rawData);

  // The choice lives as long as the page is open; the next one follows the system again.
  const theme = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
  const nameTheme = () => { theme.textContent = isDark() ? "Light colours" : "Dark colours"; };
  theme.hidden = false;
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
  });
  system.addEventListener("change", nameTheme);
  nameTheme();
})();

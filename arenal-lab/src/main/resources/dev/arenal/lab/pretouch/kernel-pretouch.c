/*
 * What the kernel alone takes for a number of pages, without a library around it.
 *
 *   kernel-pretouch METHOD BYTES THREADS HUGE FILE
 *
 * METHOD  populate: MADV_POPULATE_WRITE; touch: one byte of each page is read and written;
 *         clear: populated first, and then filled with zeros, which alone is measured
 * HUGE    1: with transparent huge pages
 *
 * Threads take pieces of 32 MiB, one after the other, so that none waits for a slow one. Writes
 * JSON: seconds, user and system seconds, the highest resident size, bytes in huge pages.
 * Exit code 3: the kernel cannot do that.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { POPULATE, TOUCH, CLEAR };
enum { EXIT_UNABLE = 3, MOST_THREADS = 1024 };

static const size_t PIECE_BYTES = (size_t)32 << 20;
static const size_t HUGE_BYTES = (size_t)2 << 20;

static char *memory;
static size_t size_bytes;
static size_t page_bytes;
static size_t next_byte;
static int first_error;
static int phase;

static int work_on(char *piece, size_t bytes) {
  if (phase == POPULATE) {
    int result;
    do {
      result = madvise(piece, bytes, MADV_POPULATE_WRITE);
    } while (result != 0 && (errno == EINTR || errno == EAGAIN));
    return result == 0 ? 0 : errno;
  }
  if (phase == TOUCH) {
    for (size_t at = 0; at < bytes; at += page_bytes) {
      __atomic_fetch_add((int *)(piece + at), 0, __ATOMIC_RELAXED);
    }
    return 0;
  }
  memset(piece, 0, bytes);
  /* The compiler is not to know that nobody reads it. */
  __asm__ volatile("" : : "r"(piece) : "memory");
  return 0;
}

static void *work(void *unused) {
  (void)unused;
  for (;;) {
    size_t at = __atomic_fetch_add(&next_byte, PIECE_BYTES, __ATOMIC_RELAXED);
    if (at >= size_bytes || __atomic_load_n(&first_error, __ATOMIC_RELAXED) != 0) {
      return NULL;
    }
    size_t rest = size_bytes - at;
    int error = work_on(memory + at, rest < PIECE_BYTES ? rest : PIECE_BYTES);
    if (error != 0) {
      __atomic_store_n(&first_error, error, __ATOMIC_RELAXED);
    }
  }
}

/* All pieces, by so many threads, this one among them. */
static int run(int kind, int threads) {
  pthread_t others[MOST_THREADS];
  int started = 0;
  phase = kind;
  next_byte = 0;
  first_error = 0;
  while (started < threads - 1 && pthread_create(&others[started], NULL, work, NULL) == 0) {
    started++;
  }
  work(NULL);
  for (int i = 0; i < started; i++) {
    pthread_join(others[i], NULL);
  }
  return first_error;
}

static double seconds_of(struct timeval time) {
  return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The figure behind a word in a file of the kernel's; -1 if it is not there. */
static long long bytes_of(const char *path, const char *format) {
  char line[256];
  long long kilobytes = -1;
  FILE *file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    sscanf(line, format, &kilobytes);
  }
  if (file != NULL) {
    fclose(file);
  }
  return kilobytes < 0 ? -1 : kilobytes * 1024;
}

static int unable(const char *what, int error) {
  fprintf(stderr, "%s failed: error=%s\n", what, strerror(error));
  return EXIT_UNABLE;
}

static int measure(int kind, int threads, const char *path) {
  struct rusage before;
  struct rusage after;
  int error = kind == CLEAR ? run(POPULATE, threads) : 0;
  if (error != 0) {
    return unable("MADV_POPULATE_WRITE", error);
  }
  getrusage(RUSAGE_SELF, &before);
  double start = now();
  error = run(kind, threads);
  double seconds = now() - start;
  getrusage(RUSAGE_SELF, &after);
  if (error != 0) {
    return unable("MADV_POPULATE_WRITE", error);
  }
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    return unable(path, errno);
  }
  fprintf(file,
          "{\"wallSeconds\": %.6f, \"userSeconds\": %.6f, \"systemSeconds\": %.6f,"
          " \"residentBytes\": %lld, \"hugeBytes\": %lld, \"firstUseSeconds\": null, \"heap\": null}\n",
          seconds,
          seconds_of(after.ru_utime) - seconds_of(before.ru_utime),
          seconds_of(after.ru_stime) - seconds_of(before.ru_stime),
          /* Not ru_maxrss, which has what the process was before this program, too. */
          bytes_of("/proc/self/status", "VmHWM: %lld"),
          bytes_of("/proc/self/smaps_rollup", "AnonHugePages: %lld"));
  return fclose(file) == 0 ? 0 : unable(path, errno);
}

int main(int count, char **words) {
  if (count != 6) {
    fprintf(stderr, "usage: kernel-pretouch populate|touch|clear BYTES THREADS 0|1 FILE\n");
    return 2;
  }
  int kind = strcmp(words[1], "clear") == 0 ? CLEAR : strcmp(words[1], "touch") == 0 ? TOUCH : POPULATE;
  size_bytes = (size_t)strtoull(words[2], NULL, 10);
  int threads = atoi(words[3]);
  if (threads < 1 || threads > MOST_THREADS) {
    fprintf(stderr, "number of threads is out of range: threads=%s (expected 1 to %d)\n",
            words[3], MOST_THREADS);
    return 2;
  }
  page_bytes = (size_t)sysconf(_SC_PAGESIZE);
  char *reserved = mmap(NULL, size_bytes + HUGE_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) {
    return unable("mmap", errno);
  }
  memory = (char *)(((uintptr_t)reserved + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES);
  int advice = strcmp(words[4], "1") == 0 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
  /* A kernel without huge pages knows neither; the bytes in huge pages tell. */
  madvise(memory, size_bytes, advice);
  return measure(kind, threads, words[5]);
}

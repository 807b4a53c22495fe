/* memcmp, bcmp and __memcmpeq as a C program meets them: exact values over a matrix of alignments,
   lengths and mismatch positions; before main, in a signal handler, in threads, and on memory that
   another thread writes to. Prints what is wrong and exits 1, or how much was right and exits 0.
   A wrong value is the expected end without the preload where the libc is not exact. */

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef int compare(const void *, const void *, size_t);
extern compare memcmp, bcmp;
extern compare __memcmpeq __attribute__((weak));

/* Volatile, so that the compiler cannot know what it calls and put its own code in place. */
static compare *volatile order = memcmp;
static compare *volatile same = bcmp;
static compare *volatile same_too = __memcmpeq;

static unsigned long right, wrong;

static void expect(const unsigned char *a, const unsigned char *b, size_t n, int value) {
  int got = order(a, b, n), mirrored = order(b, a, n), equal = same(a, b, n) == 0;
  int equal_too = same_too ? same_too(a, b, n) == 0 : equal;
  if (got == value && mirrored == -value && equal == !value && equal_too == !value) {
    right++;
  } else if (wrong++ < 5) {
    printf("n = %zu, a %% 64 = %zu, b %% 64 = %zu: memcmp %d and %d, not %d; equal %d and %d\n", n,
           (size_t)a % 64, (size_t)b % 64, got, mirrored, value, equal, equal_too);
  }
}

/* Both ranges end with their object. Each position differs once alone and once with all after it. */
static void positions(unsigned char *a, unsigned char *b, size_t n) {
  static const unsigned char pairs[][2] = {{0, 255}, {255, 0}, {127, 128}, {97, 98}, {3, 1}};
  for (size_t i = 0; i < n; i++) a[i] = b[i] = (unsigned char)(i * 7);
  expect(a, b, n, 0);
  for (size_t at = 0; at < n; at++) {
    const unsigned char *pair = pairs[(at + n) % 5];
    a[at] = pair[0];
    b[at] = pair[1];
    expect(a, b, n, pair[0] - pair[1]);
    for (size_t i = at + 1; i < n; i++) b[i] ^= (unsigned char)(0x80 | i);
    expect(a, b, n, pair[0] - pair[1]);
    for (size_t i = at; i < n; i++) a[i] = b[i] = (unsigned char)(i * 7);
  }
}

enum { SMALLEST = 80, LONGEST = 72 };

static void heap(void) {
  for (size_t i = 0; i <= 8; i++) {
    for (size_t j = 0; j <= 8; j++) {
      unsigned char *a = malloc(SMALLEST + i), *b = malloc(SMALLEST + j);
      for (size_t n = 0; n <= LONGEST; n++) positions(a + SMALLEST + i - n, b + SMALLEST + j - n, n);
      free(a);
      free(b);
    }
  }
}

#define GLOBALS(name)                                                                        \
  static unsigned char name##0 [80], name##1 [81], name##2 [82], name##3 [83], name##4 [84], \
      name##5 [85], name##6 [86], name##7 [87];                                              \
  static unsigned char *const name[8] = {name##0, name##1, name##2, name##3,                 \
                                         name##4, name##5, name##6, name##7};
GLOBALS(first)
GLOBALS(second)

static void globals(void) {
  for (size_t i = 0; i < 8; i++) {
    for (size_t j = 0; j < 8; j++) {
      for (size_t n = 0; n <= LONGEST; n++) {
        positions(first[i] + SMALLEST + i - n, second[j] + SMALLEST + j - n, n);
      }
    }
  }
}

static void long_ranges(void) {
  enum { MOST = 9000 };
  static unsigned char a[MOST + 64], b[MOST + 64];
  for (size_t n = LONGEST; n <= MOST; n += 1 + n / 3) {
    for (size_t offset = 0; offset < 64; offset += 13) {
      expect(a, b + offset, n, 0);
      for (size_t at = 0; at < n; at += 1 + n / 50) {
        b[offset + at] = 200;
        expect(a, b + offset, n, -200);
        b[offset + at] = 0;
      }
    }
  }
}

static void corners(void) {
  static unsigned char bytes[] = "overlapping and aliasing ranges";
  unsigned char *nowhere = (unsigned char *)8, *null = NULL;
  expect(null, null, 0, 0);
  expect(nowhere, null, 0, 0);
  expect(bytes, nowhere, 0, 0);
  for (size_t n = 0; n < sizeof bytes; n++) expect(bytes, bytes, n, 0);
  expect(bytes, bytes + 1, sizeof bytes - 1, 'o' - 'v');
}

static int before_main;

__attribute__((constructor)) static void constructor(void) {
  before_main = order("constructor", "constructoR", 11);
}

static volatile sig_atomic_t in_handler;

static void handler(int signal) {
  (void)signal;
  in_handler = order("handler", "handles", 7);
}

enum { THREADS = 16, ROUNDS = 20000 };
static pthread_barrier_t start;
static volatile int done;
static volatile unsigned char shared[512];

/* Private bytes, and shared ones that the writer changes: any difference of two bytes is right. */
static void *reader(void *argument) {
  unsigned char a[300], b[300];
  unsigned long *failures = argument;
  for (size_t i = 0; i < sizeof a; i++) a[i] = b[i] = (unsigned char)i;
  pthread_barrier_wait(&start);
  for (size_t round = 0; round < ROUNDS; round++) {
    size_t n = round % sizeof a;
    b[n] ^= 0x80;
    *failures += order(a, b, n) != 0 || order(a, b, n + 1) != a[n] - b[n];
    b[n] ^= 0x80;
    int value = order((const void *)shared, (const void *)(shared + 200), n);
    *failures += value < -255 || value > 255;
  }
  return NULL;
}

static void *writer(void *argument) {
  while (!done) {
    for (size_t i = 0; i < sizeof shared; i++) shared[i] = (unsigned char)(shared[i] * 5 + i);
  }
  return argument;
}

static unsigned long threads(void) {
  pthread_t writing, reading[THREADS];
  static unsigned long failures[THREADS];
  unsigned long sum = 0;
  pthread_barrier_init(&start, NULL, THREADS);
  pthread_create(&writing, NULL, writer, NULL);
  for (int i = 0; i < THREADS; i++) pthread_create(&reading[i], NULL, reader, &failures[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(reading[i], NULL), sum += failures[i];
  done = 1;
  pthread_join(writing, NULL);
  return sum;
}

int main(void) {
  heap();
  globals();
  long_ranges();
  corners();
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  unsigned long in_threads = threads();
  int outside_main = before_main == 'r' - 'R' && in_handler == 'r' - 's';
  printf("%lu right, %lu wrong; before main and in a signal handler: %s; in threads: %lu wrong\n",
         right, wrong, outside_main ? "right" : "wrong", in_threads);
  return wrong != 0 || in_threads != 0 || !outside_main;
}

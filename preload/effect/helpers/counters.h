/*
 * Counters in a file shared by a process and all its children. The file is named by the variable
 * MEMDIFF_EFFECT_COUNTS, must exist and be a page long; without it nothing is counted.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The order is read by helpers.py. */
enum counter { MEMCMP, BCMP, MEMCMPEQ, ALLOCATIONS, COUNTERS };

static _Atomic uint64_t *counters;

__attribute__((constructor)) static void open_counters(void)
{
    const char *path = getenv("MEMDIFF_EFFECT_COUNTS");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;

    if (fd < 0)
        return;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (page != MAP_FAILED)
        counters = page;
}

static inline void count(enum counter which, uint64_t by)
{
    if (counters)
        atomic_fetch_add_explicit(&counters[which], by, memory_order_relaxed);
}

/*
 * A model of the old memcmp as Fil-C compiled it, for machines that have ordinary glibc.
 *
 * glibc's generic helper walks two words through pointers to its own parameters. Under Fil-C each
 * of them becomes a heap object, and the helper is inlined four times: eight objects a call, made
 * before a byte is compared. Here they are eight malloc and eight free; the comparison is by words,
 * as in the original. Fil-C's collector is not modelled.
 */
#include "bytes.h"
#include "counters.h"

enum { OBJECTS = 8 };

static int old_memcmp(const void *a_, const void *b_, size_t n)
{
    /* malloc itself may compare memory, in a debugging build for one. */
    static _Thread_local int busy;
    const unsigned char *a = a_, *b = b_;
    void *objects[OBJECTS];
    int outermost = !busy;
    size_t i = 0;

    if (outermost) {
        busy = 1;
        for (int k = 0; k < OBJECTS; k++) {
            objects[k] = malloc(sizeof(uint64_t));
            /* The address escapes: the compiler may not drop the pair of malloc and free. */
            __asm__ volatile("" ::"r"(objects[k]) : "memory");
        }
        count(ALLOCATIONS, OBJECTS);
    }

    for (uint64_t x, y; n - i >= sizeof x; i += sizeof x) {
        __builtin_memcpy(&x, a + i, sizeof x);
        __builtin_memcpy(&y, b + i, sizeof y);
        if (x != y)
            break;
    }
    int result = first_difference(a + i, b + i, n - i);

    if (outermost) {
        for (int k = 0; k < OBJECTS; k++)
            free(objects[k]);
        busy = 0;
    }
    return result;
}

int memcmp(const void *a, const void *b, size_t n)
{
    count(MEMCMP, 1);
    return old_memcmp(a, b, n);
}

int bcmp(const void *a, const void *b, size_t n)
{
    count(BCMP, 1);
    return old_memcmp(a, b, n);
}

int __memcmpeq(const void *a, const void *b, size_t n)
{
    count(MEMCMPEQ, 1);
    return old_memcmp(a, b, n);
}

/* A preload that counts the calls of memcmp, bcmp and __memcmpeq, and answers with a byte loop. */
#include "bytes.h"
#include "counters.h"

int memcmp(const void *a, const void *b, size_t n)
{
    count(MEMCMP, 1);
    return first_difference(a, b, n);
}

int bcmp(const void *a, const void *b, size_t n)
{
    count(BCMP, 1);
    return first_difference(a, b, n);
}

/* What some compilers call when only equality matters (glibc 2.35 and later). */
int __memcmpeq(const void *a, const void *b, size_t n)
{
    count(MEMCMPEQ, 1);
    return first_difference(a, b, n);
}

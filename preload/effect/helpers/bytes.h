/* The oracle: one byte at a time, so that the helpers answer what memdiff must answer. */
#include <stddef.h>

static inline int first_difference(const void *a_, const void *b_, size_t n)
{
    const unsigned char *a = a_, *b = b_;

    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return (int)a[i] - (int)b[i];
    return 0;
}

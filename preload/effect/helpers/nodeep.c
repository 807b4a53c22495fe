/*
 * A preload that drops RTLD_DEEPBIND from dlopen. PHP loads its extensions with that flag, which
 * binds their memcmp to libc ahead of every LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

void *dlopen(const char *file, int flags)
{
    static void *(*next)(const char *, int);

    if (!next)
        next = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    if (!next)
        abort();
    return next(file, flags & ~RTLD_DEEPBIND);
}

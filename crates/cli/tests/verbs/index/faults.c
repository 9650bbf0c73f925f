/* A failing disk: overrides the system's calls (LD_PRELOAD) and makes writes below a folder fail.
 *
 * FAULT_FOLDER  the folder
 * FAULT_AT      the first call that fails, from 1; 0 for none
 * FAULT_KIND    full: the disk is full from there on; dead: all calls fail from there on; once: only this one fails
 * FAULT_COUNT   a file that receives the number of calls
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* Calls that need space fail on a full disk. */
enum need { ROOM, NO_ROOM };

static atomic_long calls;

static int is_below(const char *path) {
    const char *folder = getenv("FAULT_FOLDER");
    return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_file_below(int file) {
    char link[64], path[4096];
    int before = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = before;
    if (length < 0)
        return 0;
    path[length] = 0;
    return is_below(path);
}

/* Counts a call, and returns whether it fails: 1 if it is the first to fail, 2 if it is a later one. */
static int fails(enum need need) {
    const char *at = getenv("FAULT_AT"), *kind = getenv("FAULT_KIND");
    long first = at ? atol(at) : 0, number = atomic_fetch_add(&calls, 1) + 1;
    if (first == 0 || !kind || number < first || (strcmp(kind, "once") == 0 && number > first))
        return 0;
    if (strcmp(kind, "full") == 0 && need == NO_ROOM)
        return 0;
    errno = strcmp(kind, "full") == 0 ? ENOSPC : EIO;
    return number == first ? 1 : 2;
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("FAULT_COUNT");
    FILE *out = path ? fopen(path, "w") : NULL;
    if (out) {
        fprintf(out, "%ld", atomic_load(&calls));
        fclose(out);
    }
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The first half still fits on a full disk. */
static size_t fitting(int fault, size_t length) {
    return fault == 1 && errno == ENOSPC ? length / 2 : 0;
}

#define WRITES(name, parameters, arguments)                                                                            \
    ssize_t name parameters {                                                                                          \
        int fault = is_file_below(file) ? fails(ROOM) : 0;                                                             \
        if (fault && (length = fitting(fault, length)) == 0)                                                           \
            return -1;                                                                                                 \
        return REAL(name) arguments;                                                                                   \
    }
WRITES(write, (int file, const void *bytes, size_t length), (file, bytes, length))
WRITES(pwrite, (int file, const void *bytes, size_t length, off_t at), (file, bytes, length, at))
WRITES(pwrite64, (int file, const void *bytes, size_t length, off64_t at), (file, bytes, length, at))

#define FAILS(result, name, where, need, parameters, arguments)                                                        \
    result name parameters {                                                                                           \
        return where && fails(need) ? -1 : REAL(name) arguments;                                                       \
    }
FAILS(ssize_t, writev, is_file_below(file), ROOM, (int file, const struct iovec *all, int count), (file, all, count))
FAILS(int, fallocate, is_file_below(file), ROOM, (int file, int mode, off_t at, off_t length), (file, mode, at, length))
FAILS(int, ftruncate, is_file_below(file), ROOM, (int file, off_t length), (file, length))
FAILS(int, ftruncate64, is_file_below(file), ROOM, (int file, off64_t length), (file, length))
FAILS(int, fsync, is_file_below(file), NO_ROOM, (int file), (file))
FAILS(int, fdatasync, is_file_below(file), NO_ROOM, (int file), (file))
FAILS(int, mkdir, is_below(path), ROOM, (const char *path, mode_t mode), (path, mode))
FAILS(int, rename, is_below(to), NO_ROOM, (const char *from, const char *to), (from, to))
FAILS(int, unlink, is_below(path), NO_ROOM, (const char *path), (path))

int posix_fallocate(int file, off_t at, off_t length) {
    if (is_file_below(file) && fails(ROOM))
        return errno;
    return REAL(posix_fallocate)(file, at, length);
}

#define OPENS(name, path, parameters, arguments)                                                                       \
    int name parameters {                                                                                              \
        mode_t mode = 0;                                                                                               \
        if (flags & O_CREAT) {                                                                                         \
            va_list more;                                                                                              \
            va_start(more, flags);                                                                                     \
            mode = va_arg(more, mode_t);                                                                               \
            va_end(more);                                                                                              \
            int is_new = is_below(path) && access(path, F_OK) != 0;                                                    \
            if (is_below(path) && fails(is_new ? ROOM : NO_ROOM))                                                      \
                return -1;                                                                                             \
        }                                                                                                              \
        return REAL(name) arguments;                                                                                   \
    }
OPENS(open, path, (const char *path, int flags, ...), (path, flags, mode))
OPENS(open64, path, (const char *path, int flags, ...), (path, flags, mode))
OPENS(openat, path, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
OPENS(openat64, path, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))

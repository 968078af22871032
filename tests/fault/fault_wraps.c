/* SPDX-License-Identifier: MIT */
/* The functions that the linker puts in front of the wrapped calls. */
#include "fault_wraps.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <yaml.h>

/* __wrap_X and __real_X are the linker's names: no header declares them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Allocations: counted, and the result is followed until it is released. */
#define ALLOC(type, name, params, args, bad, made) \
	type __real_##name params; \
	type __wrap_##name params \
	{ \
		int e; \
		type p; \
		if (fault_fires(#name, FAULT_ALLOC, ENOMEM, &e)) { \
			errno = e; \
			return bad; \
		} \
		p = __real_##name args; \
		made; \
		return p; \
	}

/* clang-format off */
ALLOC(void *, malloc, (size_t n), (n), NULL, fault_made(p))
ALLOC(void *, calloc, (size_t n, size_t size), (n, size), NULL, fault_made(p))
ALLOC(void *, aligned_alloc, (size_t align, size_t n), (align, n), NULL, fault_made(p))
ALLOC(char *, strdup, (const char *s), (s), NULL, fault_made(p))
ALLOC(char *, strndup, (const char *s, size_t n), (s, n), NULL, fault_made(p))
ALLOC(int, vasprintf, (char **ret, const char *fmt, va_list ap), (ret, fmt, ap), -1, if (p >= 0) fault_made(*ret))
/* clang-format on */

void __real_free(void *p);
void __wrap_free(void *p)
{
	fault_gone(p);
	__real_free(p);
}

void *__real_realloc(void *p, size_t n);
void *__wrap_realloc(void *p, size_t n)
{
	void *q;
	int e;

	if (fault_fires("realloc", FAULT_ALLOC, ENOMEM, &e)) {
		errno = e;
		return NULL;
	}
	/* Forgotten first: another thread may get the old address. */
	fault_gone(p);
	q = __real_realloc(p, n);
	fault_made(q ? q : n ? p : NULL);
	return q;
}

void *__real_reallocarray(void *p, size_t n, size_t size);
void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return __wrap_realloc(p, bytes);
}

int __real_posix_memalign(void **ret, size_t align, size_t n);
int __wrap_posix_memalign(void **ret, size_t align, size_t n)
{
	int e;

	if (fault_fires("posix_memalign", FAULT_ALLOC, ENOMEM, &e))
		return e;
	e = __real_posix_memalign(ret, align, n);
	if (e == 0)
		fault_made(*ret);
	return e;
}

int __wrap_asprintf(char **ret, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **ret, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = __wrap_vasprintf(ret, fmt, ap);
	va_end(ap);
	return n;
}

int __wrap___vasprintf_chk(char **ret, int level, const char *fmt, va_list ap)
{
	(void)level;
	return __wrap_vasprintf(ret, fmt, ap);
}

int __wrap___asprintf_chk(char **ret, int level, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));
int __wrap___asprintf_chk(char **ret, int level, const char *fmt, ...)
{
	va_list ap;
	int n;

	(void)level;
	va_start(ap, fmt);
	n = __wrap_vasprintf(ret, fmt, ap);
	va_end(ap);
	return n;
}

static void *made_map(void *p)
{
	if (p != MAP_FAILED)
		fault_made(p);
	return p;
}

#define MMAP(name) \
	void *__real_##name(void *at, size_t n, int prot, int flags, int fd, off_t off); \
	void *__wrap_##name(void *at, size_t n, int prot, int flags, int fd, off_t off) \
	{ \
		int e; \
		if (fault_fires(#name, FAULT_CALL, ENOMEM, &e)) { \
			errno = e; \
			return MAP_FAILED; \
		} \
		return made_map(__real_##name(at, n, prot, flags, fd, off)); \
	}
MMAP(mmap)
MMAP(mmap64)

int __real_munmap(void *p, size_t n);
int __wrap_munmap(void *p, size_t n)
{
	fault_gone(p);
	return __real_munmap(p, n);
}

/* open() and openat() take a mode only with O_CREAT or O_TMPFILE. */
#define NEEDS_MODE(flags) (((flags)&O_CREAT) || ((flags)&O_TMPFILE) == O_TMPFILE)
#define OPEN(name, params, at, ...) \
	int __real_##name params; \
	int __wrap_##name params \
	{ \
		mode_t mode = 0; \
		int e; \
		if (NEEDS_MODE(flags)) { \
			va_list ap; \
			va_start(ap, flags); \
			mode = va_arg(ap, mode_t); \
			va_end(ap); \
		} \
		if (fault_fires(at, FAULT_CALL, EIO, &e)) { \
			errno = e; \
			return -1; \
		} \
		return __real_##name(__VA_ARGS__, flags, mode); \
	}
OPEN(open, (const char *path, int flags, ...), "open", path)
OPEN(open64, (const char *path, int flags, ...), "open", path)
OPEN(openat, (int dir, const char *path, int flags, ...), "openat", dir, path)
OPEN(openat64, (int dir, const char *path, int flags, ...), "openat", dir, path)

/* The fortified forms, for flags that are not constant. */
int __wrap___open64_2(const char *path, int flags)
{
	return __wrap_open64(path, flags);
}

int __wrap___openat64_2(int dir, const char *path, int flags)
{
	return __wrap_openat64(dir, path, flags);
}

/* A failing close() still closes. */
int __real_close(int fd);
int __wrap_close(int fd)
{
	int e;

	if (fault_fires("close", FAULT_CALL, EIO, &e)) {
		__real_close(fd);
		errno = e;
		return -1;
	}
	return __real_close(fd);
}

/* Transfers. The fortified form that gcc may choose has the name of the plain one. */
#define TRANSFER(name, shown, params, ...) \
	ssize_t __real_##name params; \
	ssize_t __wrap_##name params \
	{ \
		int e; \
		if (fault_fires(shown, FAULT_TRANSFER, EIO, &e)) { \
			errno = e; \
			return -1; \
		} \
		n = fault_cut(shown, n); \
		return __real_##name(__VA_ARGS__); \
	}
/* clang-format off */
TRANSFER(read, "read", (int fd, void *p, size_t n), fd, p, n)
TRANSFER(__read_chk, "read", (int fd, void *p, size_t n, size_t room), fd, p, n, room)
TRANSFER(write, "write", (int fd, const void *p, size_t n), fd, p, n)
TRANSFER(pread, "pread", (int fd, void *p, size_t n, off_t off), fd, p, n, off)
TRANSFER(pread64, "pread", (int fd, void *p, size_t n, off_t off), fd, p, n, off)
TRANSFER(__pread64_chk, "pread", (int fd, void *p, size_t n, off_t off, size_t room), fd, p, n, off, room)
TRANSFER(pwrite, "pwrite", (int fd, const void *p, size_t n, off_t off), fd, p, n, off)
TRANSFER(pwrite64, "pwrite", (int fd, const void *p, size_t n, off_t off), fd, p, n, off)

/* CALL(kind, errno, failed value, type, name, parameters, arguments) */
#define CALL(kind, os_errno, bad, type, name, params, args)                                        \
	type __real_##name params;                                                                 \
	type __wrap_##name params                                                                  \
	{                                                                                          \
		int e;                                                                             \
		if (fault_fires(#name, kind, os_errno, &e)) {                                      \
			errno = e;                                                                 \
			return bad;                                                                \
		}                                                                                  \
		return __real_##name args;                                                         \
	}
CALL(FAULT_SLOW, EIO, -1, ssize_t, readv, (int fd, const struct iovec *v, int n), (fd, v, n))
CALL(FAULT_SLOW, EIO, -1, ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n))
CALL(FAULT_CALL, EIO, -1, int, fsync, (int fd), (fd))
CALL(FAULT_CALL, EIO, -1, int, fdatasync, (int fd), (fd))
CALL(FAULT_CALL, EIO, -1, int, ftruncate, (int fd, off_t n), (fd, n))
CALL(FAULT_CALL, EIO, -1, int, ftruncate64, (int fd, off_t n), (fd, n))
CALL(FAULT_CALL, EIO, -1, off_t, lseek, (int fd, off_t off, int whence), (fd, off, whence))
CALL(FAULT_CALL, EIO, -1, off_t, lseek64, (int fd, off_t off, int whence), (fd, off, whence))
CALL(FAULT_CALL, EIO, -1, int, rename, (const char *a, const char *b), (a, b))
CALL(FAULT_CALL, EIO, -1, int, renameat, (int da, const char *a, int db, const char *b), (da, a, db, b))
CALL(FAULT_CALL, EIO, -1, int, renameat2, (int da, const char *a, int db, const char *b, unsigned f), (da, a, db, b, f))
CALL(FAULT_CALL, EIO, -1, int, linkat, (int da, const char *a, int db, const char *b, int f), (da, a, db, b, f))
CALL(FAULT_CALL, EIO, -1, int, symlinkat, (const char *to, int d, const char *name), (to, d, name))
CALL(FAULT_CALL, EIO, -1, int, unlink, (const char *a), (a))
CALL(FAULT_CALL, EIO, -1, int, unlinkat, (int d, const char *a, int f), (d, a, f))
CALL(FAULT_CALL, EIO, -1, int, mkdir, (const char *a, mode_t m), (a, m))
CALL(FAULT_CALL, EIO, -1, int, mkdirat, (int d, const char *a, mode_t m), (d, a, m))
CALL(FAULT_CALL, EIO, -1, int, rmdir, (const char *a), (a))
CALL(FAULT_CALL, EIO, -1, int, fchmod, (int fd, mode_t m), (fd, m))
CALL(FAULT_CALL, EPERM, -1, int, fchown, (int fd, uid_t u, gid_t g), (fd, u, g))
CALL(FAULT_CALL, EPERM, -1, int, fchownat, (int d, const char *a, uid_t u, gid_t g, int f), (d, a, u, g, f))
CALL(FAULT_CALL, ENOSPC, -1, int, fallocate, (int fd, int m, off_t at, off_t n), (fd, m, at, n))
CALL(FAULT_CALL, ENOSPC, -1, int, fallocate64, (int fd, int m, off_t at, off_t n), (fd, m, at, n))
CALL(FAULT_CALL, EIO, -1, int, stat, (const char *a, struct stat *s), (a, s))
CALL(FAULT_CALL, EIO, -1, int, stat64, (const char *a, struct stat64 *s), (a, s))
CALL(FAULT_CALL, EIO, -1, int, lstat, (const char *a, struct stat *s), (a, s))
CALL(FAULT_CALL, EIO, -1, int, lstat64, (const char *a, struct stat64 *s), (a, s))
CALL(FAULT_CALL, EIO, -1, int, fstat, (int fd, struct stat *s), (fd, s))
CALL(FAULT_CALL, EIO, -1, int, fstat64, (int fd, struct stat64 *s), (fd, s))
CALL(FAULT_CALL, EIO, -1, int, fstatat, (int d, const char *a, struct stat *s, int f), (d, a, s, f))
CALL(FAULT_CALL, EIO, -1, int, fstatat64, (int d, const char *a, struct stat64 *s, int f), (d, a, s, f))
CALL(FAULT_CALL, EIO, -1, int, faccessat, (int d, const char *a, int m, int f), (d, a, m, f))
CALL(FAULT_CALL, EIO, -1, int, access, (const char *a, int m), (a, m))
CALL(FAULT_CALL, EIO, -1, ssize_t, readlink, (const char *a, char *p, size_t n), (a, p, n))
CALL(FAULT_CALL, EIO, -1, ssize_t, readlinkat, (int d, const char *a, char *p, size_t n), (d, a, p, n))
CALL(FAULT_CALL, EIO, -1, ssize_t, __readlinkat_chk, (int d, const char *a, char *p, size_t n, size_t room), (d, a, p, n, room))
CALL(FAULT_CALL, EIO, NULL, DIR *, opendir, (const char *a), (a))
CALL(FAULT_CALL, EIO, NULL, DIR *, fdopendir, (int fd), (fd))
CALL(FAULT_CALL, EIO, NULL, struct dirent *, readdir, (DIR *d), (d))
CALL(FAULT_CALL, EIO, NULL, struct dirent64 *, readdir64, (DIR *d), (d))
CALL(FAULT_SLOW, ENOLCK, -1, int, flock, (int fd, int op), (fd, op))
CALL(FAULT_CALL, EMFILE, -1, int, pipe2, (int fds[2], int f), (fds, f))
CALL(FAULT_CALL, EMFILE, -1, int, socketpair, (int d, int t, int p, int fds[2]), (d, t, p, fds))
CALL(FAULT_CALL, EMFILE, -1, int, dup, (int fd), (fd))
CALL(FAULT_CALL, EMFILE, -1, int, dup2, (int fd, int to), (fd, to))
CALL(FAULT_CALL, EMFILE, -1, int, dup3, (int fd, int to, int f), (fd, to, f))
CALL(FAULT_CALL, EMFILE, -1, int, eventfd, (unsigned v, int f), (v, f))
CALL(FAULT_CALL, EMFILE, -1, int, timerfd_create, (int c, int f), (c, f))
CALL(FAULT_CALL, EINVAL, -1, int, timerfd_settime, (int fd, int f, const struct itimerspec *v, struct itimerspec *o), (fd, f, v, o))
CALL(FAULT_CALL, EMFILE, -1, int, memfd_create, (const char *a, unsigned f), (a, f))
CALL(FAULT_CALL, EMFILE, -1, int, epoll_create1, (int f), (f))
CALL(FAULT_CALL, ENOSPC, -1, int, epoll_ctl, (int ep, int op, int fd, struct epoll_event *v), (ep, op, fd, v))
CALL(FAULT_SLOW, EIO, -1, int, epoll_wait, (int ep, struct epoll_event *v, int n, int ms), (ep, v, n, ms))
CALL(FAULT_SLOW, ENOMEM, -1, int, poll, (struct pollfd *p, nfds_t n, int ms), (p, n, ms))
CALL(FAULT_SLOW, ENOMEM, -1, int, __poll_chk, (struct pollfd *p, nfds_t n, int ms, size_t room), (p, n, ms, room))
CALL(FAULT_SLOW, ENOMEM, -1, int, ppoll, (struct pollfd *p, nfds_t n, const struct timespec *t, const sigset_t *m), (p, n, t, m))
CALL(FAULT_SLOW, ECHILD, -1, pid_t, waitpid, (pid_t p, int *s, int f), (p, s, f))
CALL(FAULT_SLOW, ECHILD, -1, pid_t, wait4, (pid_t p, int *s, int f, struct rusage *u), (p, s, f, u))
CALL(FAULT_SLOW, ECHILD, -1, int, waitid, (idtype_t t, id_t id, siginfo_t *i, int f), (t, id, i, f))
CALL(FAULT_CALL, EAGAIN, -1, pid_t, fork, (void), ())
CALL(FAULT_CALL, EPERM, -1, int, sched_setaffinity, (pid_t p, size_t n, const cpu_set_t *s), (p, n, s))
CALL(FAULT_CALL, EPERM, -1, int, sched_getaffinity, (pid_t p, size_t n, cpu_set_t *s), (p, n, s))
CALL(FAULT_CALL, EPERM, -1, int, sched_setscheduler, (pid_t p, int pol, const struct sched_param *v), (p, pol, v))
CALL(FAULT_CALL, EPERM, -1, int, getrlimit, (int w, struct rlimit *l), (w, l))
CALL(FAULT_CALL, EPERM, -1, int, getrlimit64, (int w, struct rlimit64 *l), (w, l))
CALL(FAULT_CALL, EPERM, -1, int, setrlimit, (int w, const struct rlimit *l), (w, l))
CALL(FAULT_CALL, EPERM, -1, int, setrlimit64, (int w, const struct rlimit64 *l), (w, l))
CALL(FAULT_CALL, EPERM, -1, int, getrusage, (int w, struct rusage *u), (w, u))
CALL(FAULT_CALL, ENOMEM, -1, int, mlock, (const void *p, size_t n), (p, n))
CALL(FAULT_CALL, ENOMEM, -1, int, mlockall, (int f), (f))
CALL(FAULT_CALL, ENOMEM, -1, int, mprotect, (void *p, size_t n, int prot), (p, n, prot))
CALL(FAULT_CALL, ENOMEM, -1, int, madvise, (void *p, size_t n, int a), (p, n, a))
CALL(FAULT_CALL, EIO, -1, int, msync, (void *p, size_t n, int f), (p, n, f))
CALL(FAULT_CALL, EIO, -1, int, tcgetattr, (int fd, struct termios *t), (fd, t))
CALL(FAULT_CALL, EIO, -1, int, tcsetattr, (int fd, int a, const struct termios *t), (fd, a, t))
CALL(FAULT_CALL, EINVAL, -1, int, sigaction, (int s, const struct sigaction *a, struct sigaction *o), (s, a, o))
CALL(FAULT_CALL, EIO, NULL, FILE *, fopen, (const char *a, const char *m), (a, m))
CALL(FAULT_CALL, EIO, NULL, FILE *, fopen64, (const char *a, const char *m), (a, m))
CALL(FAULT_CALL, ENOMEM, NULL, FILE *, fdopen, (int fd, const char *m), (fd, m))
CALL(FAULT_CALL, ENOMEM, NULL, FILE *, open_memstream, (char **p, size_t *n), (p, n))

/* CODE(errno, name, parameters, arguments): returns the error instead of setting errno. */
#define CODE(os_errno, name, params, args)                                                         \
	int __real_##name params;                                                                  \
	int __wrap_##name params                                                                   \
	{                                                                                          \
		int e;                                                                             \
		if (fault_fires(#name, FAULT_CALL, os_errno, &e))                                  \
			return e;                                                                  \
		return __real_##name args;                                                         \
	}
typedef void *thread_fn(void *arg);
CODE(EAGAIN, pthread_create, (pthread_t *t, const pthread_attr_t *a, thread_fn *fn, void *arg), (t, a, fn, arg))
CODE(ENOMEM, pthread_attr_init, (pthread_attr_t *a), (a))
CODE(EINVAL, pthread_attr_setstacksize, (pthread_attr_t *a, size_t n), (a, n))
CODE(EINVAL, pthread_attr_setaffinity_np, (pthread_attr_t *a, size_t n, const cpu_set_t *s), (a, n, s))
CODE(EINVAL, pthread_setaffinity_np, (pthread_t t, size_t n, const cpu_set_t *s), (t, n, s))
CODE(EPERM, pthread_setschedparam, (pthread_t t, int pol, const struct sched_param *v), (t, pol, v))
CODE(ENOMEM, pthread_mutex_init, (pthread_mutex_t *m, const pthread_mutexattr_t *a), (m, a))
CODE(ENOMEM, pthread_cond_init, (pthread_cond_t *c, const pthread_condattr_t *a), (c, a))
CODE(ENOMEM, pthread_barrier_init, (pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned n), (b, a, n))
CODE(EAGAIN, posix_spawn, (pid_t *p, const char *a, const posix_spawn_file_actions_t *fa, const posix_spawnattr_t *sa, char *const v[], char *const e2[]), (p, a, fa, sa, v, e2))
CODE(EAGAIN, posix_spawnp, (pid_t *p, const char *a, const posix_spawn_file_actions_t *fa, const posix_spawnattr_t *sa, char *const v[], char *const e2[]), (p, a, fa, sa, v, e2))
CODE(ENOMEM, posix_spawn_file_actions_init, (posix_spawn_file_actions_t *fa), (fa))
CODE(ENOMEM, posix_spawn_file_actions_adddup2, (posix_spawn_file_actions_t *fa, int fd, int to), (fa, fd, to))
CODE(ENOMEM, posix_spawnattr_init, (posix_spawnattr_t *a), (a))
/* clang-format on */

/* The variadic ones pass on as many register arguments as the kernel takes. */
long __real_syscall(long nr, ...);
long __wrap_syscall(long nr, ...)
{
	long a[6];
	va_list ap;
	int e;

	va_start(ap, nr);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (fault_fires("syscall", FAULT_CALL, EIO, &e)) {
		errno = e;
		return -1;
	}
	return __real_syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int __real_ioctl(int fd, unsigned long op, ...);
int __wrap_ioctl(int fd, unsigned long op, ...)
{
	va_list ap;
	long a;
	int e;

	va_start(ap, op);
	a = va_arg(ap, long);
	va_end(ap);
	if (fault_fires("ioctl", FAULT_CALL, EIO, &e)) {
		errno = e;
		return -1;
	}
	return __real_ioctl(fd, op, a);
}

#define FCNTL(name) \
	int __real_##name(int fd, int op, ...); \
	int __wrap_##name(int fd, int op, ...) \
	{ \
		va_list ap; \
		long a; \
		int e; \
		va_start(ap, op); \
		a = va_arg(ap, long); \
		va_end(ap); \
		if (fault_fires("fcntl", FAULT_CALL, EIO, &e)) { \
			errno = e; \
			return -1; \
		} \
		return __real_##name(fd, op, a); \
	}
FCNTL(fcntl)
FCNTL(fcntl64)

int __real_prctl(int op, ...);
int __wrap_prctl(int op, ...)
{
	unsigned long a[4];
	va_list ap;
	int e;

	va_start(ap, op);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(ap, unsigned long);
	va_end(ap);
	if (fault_fires("prctl", FAULT_CALL, EPERM, &e)) {
		errno = e;
		return -1;
	}
	return __real_prctl(op, a[0], a[1], a[2], a[3]);
}

/* libyaml allocates inside its own library, where nothing is wrapped: what it asks for fails here. */
int __real_yaml_parser_initialize(yaml_parser_t *parser);
int __wrap_yaml_parser_initialize(yaml_parser_t *parser)
{
	int e;

	return fault_fires("yaml_parser_initialize", FAULT_ALLOC, ENOMEM, &e)
	               ? 0
	               : __real_yaml_parser_initialize(parser);
}

int __real_yaml_parser_parse(yaml_parser_t *parser, yaml_event_t *event);
int __wrap_yaml_parser_parse(yaml_parser_t *parser, yaml_event_t *event)
{
	int e;

	if (!fault_fires("yaml_parser_parse", FAULT_ALLOC, ENOMEM, &e))
		return __real_yaml_parser_parse(parser, event);
	parser->error = YAML_MEMORY_ERROR;
	return 0;
}

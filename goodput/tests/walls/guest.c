/*
 * What a hostile command in a guest tries. Freestanding, so that it is small enough for an experiment. Each line that
 * it prints is an attempt and what came of it: an errno, 0 for success, or the signal that ended it.
 *
 *	cc -static -nostdlib -ffreestanding -fno-tree-loop-distribute-patterns -Os -o guest guest.c
 */
#include <asm/stat.h>
#include <asm/unistd.h>
#include <linux/fcntl.h>
#include <linux/mount.h>

typedef unsigned long word;

static long call(long number, word a, word b, word c, word d, word e)
{
	register word r10 asm("r10") = d;
	register word r8 asm("r8") = e;
	long result;

	asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
		     : "rcx", "r11", "memory");
	return result;
}

#define CALL(number, a, b, c, d, e) call(number, (word)(a), (word)(b), (word)(c), (word)(d), (word)(e))

static void print(const char *text)
{
	int length = 0;

	while (text[length])
		length++;
	CALL(__NR_write, 1, text, length, 0, 0);
}

static void tell(const char *attempt, const char *kind, long result)
{
	char digits[8] = "\n";
	char *text = digits;
	int i = 6;

	if (result < 0)
		result = -result;
	digits[7] = 0;
	digits[6] = '\n';
	do {
		digits[--i] = '0' + result % 10;
		result /= 10;
	} while (result);
	text = digits + i;
	print(attempt);
	print(": ");
	print(kind);
	print(text);
}

/*
 * The stub of User-Mode Linux has the few system calls of its own that its filter lets through; `syscall; ret` makes
 * any of them (arch/um/kernel/skas/stub.c, "Known security issues"). recvmsg on descriptor 0: the host's answer is
 * EAGAIN, as that is a socket of the guest's kernel there; the guest's would be another.
 */
#define STUB_CODE 0x7fffffffc000ul

static word gadget(void)
{
	const unsigned char *code = (const unsigned char *)STUB_CODE;
	int i;

	for (i = 0; i < 4094; i++)
		if (code[i] == 0x0f && code[i + 1] == 0x05 && code[i + 2] == 0xc3)
			return STUB_CODE + i;
	return 0;
}

static void reach(void)
{
	static struct { void *name; int length; void *iov; word count; void *control; word size; int flags; } message;
	long result;

	/* The host knows no page that the program has not touched. */
	*(volatile int *)&message.flags = 0;
	asm volatile("call *%[at]" : "=a"(result)
		     : "a"(__NR_recvmsg), "D"(0), "S"(&message), "d"(0), [at] "b"(gadget())
		     : "rcx", "r11", "memory");
	CALL(__NR_exit, -result, 0, 0, 0, 0);
}

static void attempt_stub(void)
{
	int status = 0;
	long child = CALL(__NR_fork, 0, 0, 0, 0, 0);

	if (!child)
		reach();
	CALL(__NR_wait4, child, &status, 0, 0, 0);
	if (status & 0x7f)
		tell("stub", "signal ", status & 0x7f);
	else
		tell("stub", "errno ", status >> 8);
}

static void attempt_open(const char *name, const char *path, int flags)
{
	long result = CALL(__NR_open, path, flags, 0644, 0, 0);

	tell(name, "errno ", result > 0 ? 0 : result);
	if (result > 0)
		CALL(__NR_close, result, 0, 0, 0, 0);
}

/* What the kernel of the guest lets a tracer do to the stub, which is no memory of the program's. */
static void attempt_trace(void)
{
	int status = 0;
	long child = CALL(__NR_fork, 0, 0, 0, 0, 0);

	if (!child) {
		CALL(__NR_ptrace, 0 /* PTRACE_TRACEME */, 0, 0, 0, 0);
		CALL(__NR_kill, CALL(__NR_getpid, 0, 0, 0, 0, 0), 19 /* SIGSTOP */, 0, 0, 0);
		CALL(__NR_exit, 0, 0, 0, 0, 0);
	}
	CALL(__NR_wait4, child, &status, 0, 0, 0);
	tell("trace into the stub", "errno ", CALL(__NR_ptrace, 5 /* PTRACE_POKEDATA */, child, STUB_CODE, 0, 0));
	CALL(__NR_kill, child, 9, 0, 0, 0);
	CALL(__NR_wait4, child, &status, 0, 0, 0);
}

/* The stub's pages made writable, replaced, and written to as memory of the program. */
static void attempt_stub_pages(void)
{
	char page[8] = { 0 };
	long memory = CALL(__NR_open, "/proc/self/mem", O_RDWR, 0, 0, 0);

	tell("stub writable", "errno ", CALL(__NR_mprotect, STUB_CODE, 4096, 7, 0, 0));
	tell("stub removed", "errno ", CALL(__NR_munmap, STUB_CODE, 4096, 0, 0, 0));
	tell("stub by /proc/self/mem", "errno ", CALL(__NR_pwrite64, memory, page, 8, STUB_CODE, 0));
	CALL(__NR_close, memory, 0, 0, 0, 0);
}

static void attempt_descriptors(void)
{
	struct stat stat;
	int fd, open = 0;

	for (fd = 3; fd < 4096; fd++)
		open += !CALL(__NR_fstat, fd, &stat, 0, 0, 0);
	tell("descriptors", "open ", open);
}

void _start(void)
{
	attempt_stub();
	attempt_trace();
	attempt_stub_pages();
	attempt_open("shadow", "/etc/shadow", O_RDONLY);
	attempt_open("home", "/root", O_RDONLY | O_DIRECTORY);
	attempt_open("homes", "/home", O_RDONLY | O_DIRECTORY);
	attempt_open("proc of the host", "/proc/1/root/etc/shadow", O_RDONLY);
	attempt_open("write to a program", "/usr/bin/env", O_WRONLY);
	attempt_open("new program", "/usr/bin/goodput-was-here", O_WRONLY | O_CREAT);
	tell("remount", "errno ", CALL(__NR_mount, "none", "/usr", 0, 32 /* MS_REMOUNT */, 0));
	attempt_open("write after that", "/usr/bin/env", O_WRONLY);
	CALL(__NR_mkdir, "/tmp/host", 0755, 0, 0, 0);
	tell("hostfs", "errno ", CALL(__NR_mount, "none", "/tmp/host", "hostfs", 0, "/"));
	CALL(__NR_mknod, "/tmp/mem", 0020600, 0x101, 0, 0);
	attempt_open("memory", "/tmp/mem", O_RDWR);
	attempt_open("kcore", "/proc/kcore", O_RDONLY);
	tell("module", "errno ", CALL(__NR_init_module, "x", 1, "", 0, 0));
	tell("iopl", "errno ", CALL(__NR_iopl, 3, 0, 0, 0, 0));
	attempt_descriptors();
	CALL(__NR_exit, 0, 0, 0, 0, 0);
}

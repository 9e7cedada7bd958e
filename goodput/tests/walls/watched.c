/*
 * Runs a program that can start no other: at the attempt its process ends by SIGSYS, whoever would have heard of an error.
 *
 *	watched PROGRAM ARGUMENT...
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIELD(field)		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ARGUMENT(n, half)	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[n]) + 4 * (half))
#define CALL(name, skip)	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, skip)
#define SAME(value)		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (__u32)(value), 1, 0)
#define ANSWER(action)		BPF_STMT(BPF_RET | BPF_K, action)
#define END			ANSWER(SECCOMP_RET_KILL_PROCESS)

int main(int count, char **words)
{
	unsigned long path = (unsigned long)words[1];
	struct sock_filter filter[] = {
		FIELD(nr),
		CALL(fork, 1), END,
		CALL(vfork, 1), END,
		CALL(execveat, 1), END,
		/* The C library falls back to clone, which a filter can look at. */
		CALL(clone3, 1), ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
		/* A thread is no process. */
		CALL(clone, 4), ARGUMENT(0, 0), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0), END,
		ANSWER(SECCOMP_RET_ALLOW),
		/* The program itself is the one whose name lies here. */
		CALL(execve, 6), ARGUMENT(0, 0), SAME(path), END, ARGUMENT(0, 1), SAME(path >> 32), END,
		ANSWER(SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };

	if (count < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("watched");
		return 125;
	}
	execve(words[1], words + 1, environ);
	perror(words[1]);
	return 126;
}

/*
 * What code would try that has taken over a guest's kernel: it runs in the kernel's place, behind the same walls. Each
 * line that it prints is an attempt and its errno, 0 for success.
 *
 *	process FOLDER PID	a folder that it could write, with a socket in it, and a process of the same user; descriptor
 *				9 is a file of the user's, open for writing
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* KEY_SPEC_PROCESS_KEYRING; UFFD_USER_MODE_ONLY, which needs no privilege. */
#define KEYRING (-2)
#define USERFAULT 1

static void tell(const char *attempt, long result)
{
	printf("%s: %d\n", attempt, result < 0 ? errno : 0);
	fflush(stdout);
}

/* In a child, whose exit status is its errno: success replaces it. */
static void execute(const char *program)
{
	int status;
	pid_t child = fork();

	if (!child) {
		execl(program, program, "-c", "exit 0", NULL);
		_exit(errno);
	}
	waitpid(child, &status, 0);
	printf("execute %s: %d\n", program, WEXITSTATUS(status));
	fflush(stdout);
}

/* A datagram to a socket of the machine, from one end of a pair: neither socket() nor connect() is needed. */
static int send_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct iovec word = { "mine", 4 };
	struct msghdr message = {
		.msg_name = &address, .msg_namelen = sizeof(address), .msg_iov = &word, .msg_iovlen = 1
	};
	int pair[2];

	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) < 0)
		return -1;
	return sendmsg(pair[0], &message, 0);
}

int main(int count, char **arguments)
{
	struct rlimit none = { 0, 0 };
	union bpf_attr map = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1 };
	char path[4096];
	pid_t other = atoi(arguments[2]);
	char byte;
	struct iovec here = { &byte, 1 }, there = { (void *)0x400000, 1 };

	tell("read /etc/shadow", open("/etc/shadow", O_RDONLY));
	tell("list /root", open("/root", O_RDONLY | O_DIRECTORY));
	tell("list /home", open("/home", O_RDONLY | O_DIRECTORY));
	tell("list the folder", open(arguments[1], O_RDONLY | O_DIRECTORY));
	snprintf(path, sizeof(path), "%s/new", arguments[1]);
	tell("create a file", open(path, O_WRONLY | O_CREAT, 0600));
	snprintf(path, sizeof(path), "%s/old", arguments[1]);
	tell("write a file", open(path, O_WRONLY));
	tell("truncate a file", truncate(path, 0));
	tell("change a mode", chmod(path, 0777));
	snprintf(path, sizeof(path), "%s/link", arguments[1]);
	tell("make a symlink", symlink("/etc/passwd", path));
	snprintf(path, sizeof(path), "%s/folder", arguments[1]);
	tell("make a folder", mkdir(path, 0700));
	snprintf(path, sizeof(path), "%s/victim", arguments[1]);
	tell("remove a file", unlink(path));
	snprintf(path, sizeof(path), "/proc/%d/environ", other);
	tell("read another's environment", open(path, O_RDONLY));
	snprintf(path, sizeof(path), "/proc/%d/mem", other);
	tell("open another's memory", open(path, O_RDWR));
	tell("socket of IPv4", socket(AF_INET, SOCK_STREAM, 0));
	tell("socket of UDP", socket(AF_INET, SOCK_DGRAM, 0));
	tell("socket of Unix", socket(AF_UNIX, SOCK_STREAM, 0));
	tell("socket of netlink", socket(AF_NETLINK, SOCK_RAW, 0));
	snprintf(path, sizeof(path), "%s/socket", arguments[1]);
	tell("send to a socket", send_to(path));
	tell("write to a descriptor that was open", write(9, "x", 1));
	tell("signal another", kill(other, 0));
	tell("limit another", prlimit(other, RLIMIT_CORE, &none, NULL));
	tell("leave the session", setsid());
	tell("trace another", ptrace(PTRACE_SEIZE, other, 0, 0));
	tell("read another's memory", process_vm_readv(other, &here, 1, &there, 1, 0));
	tell("io_uring", syscall(__NR_io_uring_setup, 1, &(struct io_uring_params){ 0 }));
	tell("bpf", syscall(__NR_bpf, BPF_MAP_CREATE, &map, sizeof(map)));
	tell("keyring", syscall(__NR_add_key, "user", "mine", "mine", 4, KEYRING));
	tell("userfaultfd", syscall(__NR_userfaultfd, USERFAULT));
	tell("pidfd", syscall(__NR_pidfd_open, other, 0));
	tell("namespaces", unshare(CLONE_NEWUSER));
	execute("/bin/sh");
	return 0;
}

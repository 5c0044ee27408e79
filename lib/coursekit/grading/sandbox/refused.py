"""The system calls that a confined process does without. Those not named here are allowed."""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


NETWORK = _names("socket connect bind listen accept accept4")

PROGRAMS = _names("fork vfork execve execveat setsid setpgid")

OTHER_PROCESSES = _names(
    """
    ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp
    pidfd_open pidfd_getfd pidfd_send_signal tkill migrate_pages move_pages
    """
)

# Memory and queues that outlive the process or are shared with others, and files with no folder.
SHARED_MEMORY = _names(
    """
    shmget shmat shmctl semget semop semtimedop semctl msgget msgsnd msgrcv msgctl
    mq_open mq_unlink mq_notify mq_timedsend mq_timedreceive mq_getsetattr
    memfd_create memfd_secret
    """
)

KERNEL = _names(
    """
    perf_event_open bpf add_key request_key keyctl userfaultfd seccomp
    io_uring_setup io_uring_enter io_uring_register io_setup io_submit io_cancel
    init_module finit_module delete_module create_module kexec_load kexec_file_load
    lsm_set_self_attr modify_ldt personality iopl ioperm uselib nfsservctl lookup_dcookie
    """
)

MACHINE = _names(
    """
    mount umount2 pivot_root chroot unshare setns open_tree open_tree_attr move_mount
    fsopen fsconfig fsmount fspick mount_setattr statmount listmount listns
    swapon swapoff reboot acct quotactl quotactl_fd sethostname setdomainname syslog vhangup
    settimeofday clock_settime clock_adjtime adjtimex _sysctl sysfs ustat
    name_to_handle_at open_by_handle_at fanotify_init fanotify_mark inotify_add_watch
    """
)

USERS = _names(
    """
    setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups capset
    """
)

# Landlock does not see these. `truncate` is a matter of its third version.
FILES = _names("chown fchown lchown fchownat truncate file_setattr mknod mknodat")

REFUSED = NETWORK | PROGRAMS | OTHER_PROCESSES | SHARED_MEMORY | KERNEL | MACHINE | USERS | FILES

# Landlock does not see these either, and copying a file ends with them: they do nothing and say
# that all is well.
PRETENDED = _names("chmod fchmod fchmodat fchmodat2 utime utimes utimensat futimesat")

NO_ATTRIBUTES = _names(
    """
    setxattr lsetxattr fsetxattr setxattrat getxattr lgetxattr fgetxattr getxattrat
    listxattr llistxattr flistxattr listxattrat removexattr lremovexattr fremovexattr removexattrat
    """
)

# A filter cannot look into this one's arguments; without it the C library makes threads by `clone`.
ABSENT = _names("clone3")

# Commands, the second argument: typing into a terminal; signals by way of a file.
TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP = 0x5412, 0x541C, 0x8901, 0x8902
F_SETOWN, F_SETSIG, F_SETOWN_EX = 8, 10, 15
REFUSED_FOR: dict[str, tuple[int, ...]] = {
    "ioctl": (TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP),
    "fcntl": (F_SETOWN, F_SETSIG, F_SETOWN_EX),
}

# Calls that are allowed on the process itself: where its number stands among the arguments, whether
# 0 means the process itself, and what the first argument must be where the number is the second.
ON_A_PROCESS: dict[str, tuple[int, bool, int | None]] = {
    "kill": (0, False, None),
    "tgkill": (0, False, None),
    "rt_sigqueueinfo": (0, False, None),
    "rt_tgsigqueueinfo": (0, False, None),
    "prlimit64": (0, True, None),
    "sched_setaffinity": (0, True, None),
    "sched_setparam": (0, True, None),
    "sched_setscheduler": (0, True, None),
    "sched_setattr": (0, True, None),
    "setpriority": (1, True, 0),
    "ioprio_set": (1, True, 1),
}

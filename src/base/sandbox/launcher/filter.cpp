#include "base/sandbox/launcher/filter.hpp"

#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <vector>

namespace rafter::sandbox {
namespace {

#if defined(__x86_64__)
constexpr unsigned architecture = AUDIT_ARCH_X86_64;
constexpr long first_x32_call = 0x40000000;
#elif defined(__aarch64__)
constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
#else
#error "add this processor's AUDIT_ARCH"
#endif

// Calls that are newer than some C libraries. Their numbers are the same on all processors.
constexpr long pidfd_getfd_call = 438, mount_setattr_call = 442, quotactl_fd_call = 443, memfd_secret_call = 447;

constexpr long refused_calls[] = {
    // networks and other ways to processes outside
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_mq_open, SYS_msgget,
    SYS_semget, SYS_shmget, SYS_keyctl, SYS_add_key, SYS_request_key,
    // other processes' memory and files
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, pidfd_getfd_call, SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    // memory that no process's size includes
    SYS_memfd_create, memfd_secret_call,
    // mounts, roots and namespaces
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_fsopen, SYS_fspick, SYS_fsmount,
    SYS_fsconfig, SYS_move_mount, SYS_open_tree, mount_setattr_call,
    // parts of the kernel with a history of faults, and its administration
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
    SYS_fanotify_init, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load,
    SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, quotactl_fd_call, SYS_syslog, SYS_settimeofday,
    SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_sethostname, SYS_setdomainname, SYS_personality,
    SYS_vhangup};

constexpr unsigned namespace_flags =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

class Filter {
 public:
  void add(std::uint16_t code, unsigned value, std::uint8_t skipped_if_true = 0, std::uint8_t skipped_if_false = 0) {
    lines_.push_back({code, skipped_if_true, skipped_if_false, value});
  }
  void load(std::size_t field) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(field)); }
  void refuse(int error) { add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error)); }
  /// The next line is skipped unless the loaded value is this one.
  void if_equal(long value) { add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(value), 0, 1); }
  sock_fprog program() { return {static_cast<unsigned short>(lines_.size()), lines_.data()}; }

 private:
  std::vector<sock_filter> lines_;
};

/// Refuses a call if an argument, of which the low 32 bits are compared, has one of these bits, or is this value.
void refuse_by_argument(Filter& filter, long call, int argument, std::uint16_t comparison, unsigned value) {
  constexpr std::size_t low = 0;  // both processors are little-endian
  filter.load(offsetof(seccomp_data, nr));
  filter.add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 3);
  filter.load(offsetof(seccomp_data, args) + sizeof(std::uint64_t) * static_cast<std::size_t>(argument) + low);
  filter.add(static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K), value, 0, 1);
  filter.refuse(EPERM);
}

/// Refuses shared memory without a file, which a process can keep without having it mapped.
void refuse_shared_memory(Filter& filter) {
  constexpr unsigned both = MAP_SHARED | MAP_ANONYMOUS;
  filter.load(offsetof(seccomp_data, nr));
  filter.add(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 4);
  filter.load(offsetof(seccomp_data, args) + 3 * sizeof(std::uint64_t));
  filter.add(BPF_ALU | BPF_AND | BPF_K, both);
  filter.if_equal(both);
  filter.refuse(EPERM);
}

void limit(const Plan& plan, __rlimit_resource what, std::int64_t most) {
  const rlimit both{static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
  if (setrlimit(what, &both) != 0) fail(plan, "set a limit", errno);
}

}  // namespace

void drop_privileges(const Plan& plan) {
  if (plan.is_root && (setgroups(0, nullptr) != 0 || setresgid(plan.group, plan.group, plan.group) != 0))
    fail(plan, "change the group", errno);
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; ++capability) {
    if (prctl(PR_CAPBSET_DROP, capability) != 0) fail(plan, "drop a capability", errno);
  }
  if (prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP_LOCKED |
                                   SECBIT_KEEP_CAPS_LOCKED | SECBIT_NO_CAP_AMBIENT_RAISE |
                                   SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED) != 0)
    fail(plan, "lock the capabilities", errno);
  if (plan.is_root && setresuid(plan.user, plan.user, plan.user) != 0) fail(plan, "change the user", errno);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[2]{};
  if (syscall(SYS_capset, &header, none) != 0) fail(plan, "drop the capabilities", errno);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail(plan, "refuse new privileges", errno);
}

void set_limits(const Plan& plan) {
  limit(plan, RLIMIT_NPROC, plan.n_tasks);
  limit(plan, RLIMIT_FSIZE, plan.file_bytes);
  limit(plan, RLIMIT_CORE, 0);
  limit(plan, RLIMIT_NOFILE, 1024);
  limit(plan, RLIMIT_MSGQUEUE, 0);
}

void filter_calls(const Plan& plan) {
  Filter filter;
  filter.load(offsetof(seccomp_data, arch));
  filter.add(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
  filter.add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  filter.load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
  filter.add(BPF_JMP | BPF_JGE | BPF_K, first_x32_call, 0, 1);
  filter.add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
#endif
  for (const long call : refused_calls) {
    filter.if_equal(call);
    filter.refuse(EPERM);
  }
  filter.if_equal(SYS_clone3);  // its flags are in memory, which a filter cannot read; the C library then uses clone
  filter.refuse(ENOSYS);
  refuse_by_argument(filter, SYS_clone, 0, BPF_JSET, namespace_flags);
  refuse_shared_memory(filter);
  refuse_by_argument(filter, SYS_ioctl, 1, BPF_JEQ, TIOCSTI);  // types at the terminal
  filter.add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const sock_fprog program = filter.program();
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) fail(plan, "filter system calls", errno);
}

}  // namespace rafter::sandbox

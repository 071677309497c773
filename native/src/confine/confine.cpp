#include "confine.h"

#include <cerrno>
#include <cstring>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headframe::confine {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t foreign_numbers = 0x40000000;  ///< from here on the numbers of x32
#else
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t foreign_numbers = 0xffffffff;
#endif

/// System calls that a runtime with a compiler and threads needs once everything is loaded. None of them opens anything
/// outside the process.
constexpr int allowed[] = {
    // open channels
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_close,
    SYS_fstat,
    SYS_fcntl,
    SYS_ioctl,
    SYS_shutdown,
    SYS_dup,
    // the event loop
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_eventfd2,
    SYS_pipe2,
    SYS_ppoll,
    // memory
    SYS_mmap,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_brk,
    // threads, signals, time
    SYS_futex,
    SYS_set_robust_list,
    SYS_membarrier,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_getpid,
    SYS_gettid,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_getrusage,
    SYS_sysinfo,
    SYS_uname,
    SYS_getrandom,
    SYS_exit,
    SYS_exit_group,
#if defined(SYS_rseq)
    SYS_rseq,
#endif
#if defined(__x86_64__)
    SYS_epoll_wait,
    SYS_poll,
    SYS_pipe,
    SYS_time,
    SYS_arch_prctl,
#endif
};

/// Names of threads and of memory; the other prctl operations could weaken the confinement.
constexpr std::uint32_t allowed_prctl[] = {PR_SET_NAME, 0x53564d41 /* PR_SET_VMA */};

/// io_uring_setup, io_uring_enter and io_uring_register: the same on every architecture, and missing in older headers.
constexpr std::uint32_t ring_calls[] = {425, 426, 427};

class Filter {
public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    add(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
    answer(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
    add(BPF_JMP | BPF_JGE | BPF_K, foreign_numbers, 0, 1);
    answer(SECCOMP_RET_KILL_PROCESS);
  }

  void allow(std::uint32_t number) {
    add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
    answer(SECCOMP_RET_ALLOW);
  }

  /// Allows the call only when the low half of the first argument, masked with `mask`, is `value`.
  void allow_first(std::uint32_t number, std::uint32_t mask, std::uint32_t value) {
    add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 5);
    load(offsetof(seccomp_data, args));
    add(BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    answer(SECCOMP_RET_ALLOW);
    load(offsetof(seccomp_data, nr));
  }

  /// ENOSYS, so that the C library falls back to the older call.
  void unknown(std::uint32_t number) {
    add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
    answer(SECCOMP_RET_ERRNO | ENOSYS);
  }

  void refuse_rest() { answer(SECCOMP_RET_ERRNO | EPERM); }
  void allow_rest() { answer(SECCOMP_RET_ALLOW); }

  sock_fprog program() { return {static_cast<unsigned short>(code_.size()), code_.data()}; }

private:
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset), 0, 0); }
  void answer(std::uint32_t value) { add(BPF_RET | BPF_K, value, 0, 0); }
  void add(std::uint16_t code, std::uint32_t k, std::uint8_t yes, std::uint8_t no) {
    code_.push_back({code, yes, no, k});
  }

  std::vector<sock_filter> code_;
};

std::string failure(const char* what) { return std::string(what) + ": " + std::strerror(errno); }

/// As execve wants them; they point into `texts`.
std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> found;
  for (const auto& text : texts) found.push_back(const_cast<char*>(text.c_str()));
  found.push_back(nullptr);
  return found;
}

}  // namespace

std::string restart_without_rings(const std::string& program, const std::vector<std::string>& arguments,
                                  const std::vector<std::string>& environment) {
  Filter filter;
  for (const std::uint32_t number : ring_calls) filter.unknown(number);
  filter.allow_rest();
  auto code = filter.program();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failure("the kernel takes no filter");
  // This thread's filter is the new program's; all other threads end with the old one.
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &code) != 0) return failure("the kernel takes no filter");
  // Runtimes close their standard channels on execve.
  for (const int channel : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) fcntl(channel, F_SETFD, 0);
  execve(program.c_str(), pointers(arguments).data(), pointers(environment).data());
  return failure("it can't start again without io_uring");
}

std::string confine_process() {
  Filter filter;
  for (const int number : allowed) filter.allow(static_cast<std::uint32_t>(number));
  for (const std::uint32_t option : allowed_prctl) filter.allow_first(SYS_prctl, 0xffffffff, option);
  // Own threads are allowed, processes aren't: the flags of clone3 are in memory, where a filter can't see them.
  filter.allow_first(SYS_clone, CLONE_THREAD, CLONE_THREAD);
#if defined(SYS_clone3)
  filter.unknown(SYS_clone3);
#endif
  // Signals to itself: how it terminates.
  const auto own = static_cast<std::uint32_t>(getpid());
  for (const int number : {SYS_kill, SYS_tgkill}) {
    filter.allow_first(static_cast<std::uint32_t>(number), 0xffffffff, own);
  }
  filter.refuse_rest();
  auto program = filter.program();
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return failure("its memory can be read by a debugger");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failure("the kernel takes no filter");
  // All threads at once: the runtime's are already running.
  const auto set = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (set == 0) return {};
  return set > 0 ? "a thread has a filter of its own" : failure("the kernel takes no filter");
}

}  // namespace headframe::confine

#else

namespace headframe::confine {

namespace {

constexpr const char* elsewhere = "only Linux on x86-64 and ARM64 has what it takes";

}  // namespace

std::string confine_process() { return elsewhere; }

std::string restart_without_rings(const std::string&, const std::vector<std::string>&,
                                  const std::vector<std::string>&) {
  return elsewhere;
}

}  // namespace headframe::confine

#endif

#if defined(_WIN32)

namespace headframe::confine {

std::string deny_dumps() { return "Windows has no setting for it"; }

bool lock_memory(const void*, std::size_t) { return false; }

}  // namespace headframe::confine

#else

#include <sys/mman.h>
#include <sys/resource.h>

namespace headframe::confine {

std::string deny_dumps() {
  const rlimit none{0, 0};
  const bool is_limited = setrlimit(RLIMIT_CORE, &none) == 0;
#if defined(__linux__)
  // Also where the kernel hands core files to a program, which ignores the limit.
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return std::string("prctl: ") + std::strerror(errno);
#endif
  return is_limited ? std::string() : std::string("setrlimit: ") + std::strerror(errno);
}

bool lock_memory(const void* begin, std::size_t bytes) { return mlock(begin, bytes) == 0; }

}  // namespace headframe::confine

#endif

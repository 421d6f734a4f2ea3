#include "base/sandbox/launcher/supervisor.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>

namespace rafter::sandbox {
namespace {

constexpr double interval_s = 0.02;  // between two looks at the processes
constexpr double disk_interval_s = 0.2;
constexpr double patience_s = 2;  // from SIGTERM to SIGKILL: the program may have a report to write
constexpr int most_files = 100'000;

double now_s() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string text_of(const std::string& path) {
  char text[4096];
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  const ssize_t n = read(file, text, sizeof text);
  close(file);
  return {text, static_cast<std::size_t>(std::max<ssize_t>(n, 0))};
}

/// The use of all processes of the sandbox at a moment, except for process 1.
struct Use {
  std::int64_t n_tasks = 0, memory_bytes = 0;
  double processor_s = 0;  // of the running processes and the children that they have waited for
  bool can_run = false;
};

void add_process(const std::string& folder, Use& use) {
  const std::string status = text_of(folder + "/stat"), memory = text_of(folder + "/statm");
  const std::size_t name_end = status.rfind(')');  // "ID (NAME) STATE ...", where NAME can contain any text
  if (name_end == std::string::npos) return;
  char state = 0;
  unsigned long user = 0, system = 0;
  long of_children = 0, in_kernel_of_children = 0, n_threads = 0;
  if (std::sscanf(status.c_str() + name_end + 1,
                  " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld %*d %*d %ld", &state, &user, &system,
                  &of_children, &in_kernel_of_children, &n_threads) != 6)
    return;
  long resident = 0, shared = 0;
  std::sscanf(memory.c_str(), "%*d %ld %ld", &resident, &shared);
  static const double ticks_per_s = static_cast<double>(sysconf(_SC_CLK_TCK));
  static const long page_bytes = sysconf(_SC_PAGESIZE);
  use.n_tasks += std::max(n_threads, 1L);
  use.memory_bytes += std::max(resident - shared, 0L) * page_bytes;
  use.processor_s +=
      (static_cast<double>(user + system) + static_cast<double>(of_children + in_kernel_of_children)) / ticks_per_s;
  use.can_run = use.can_run || state == 'R' || state == 'D';
}

Use look() {
  Use use;
  DIR* folder = opendir("/proc");
  if (folder == nullptr) return use;
  while (const dirent* entry = readdir(folder)) {
    const bool is_process = entry->d_name[0] >= '0' && entry->d_name[0] <= '9' && std::strcmp(entry->d_name, "1") != 0;
    if (is_process) add_process(std::string("/proc/") + entry->d_name, use);
  }
  closedir(folder);
  return use;
}

/// The size of a folder, counted until it exceeds `left`, which becomes negative then, or has too many files.
void subtract_folder(int parent, const char* name, std::int64_t& left, int& n_left) {
  const int file = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR* folder = file >= 0 ? fdopendir(file) : nullptr;
  if (folder == nullptr) {
    if (file >= 0) close(file);
    return;
  }
  while (const dirent* entry = readdir(folder)) {
    if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
    struct stat status {};
    if (fstatat(file, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    left -= status.st_blocks * 512;
    --n_left;
    if (left < 0 || n_left < 0) break;
    if (S_ISDIR(status.st_mode)) subtract_folder(file, entry->d_name, left, n_left);
  }
  closedir(folder);
}

/// Whether the writable folder takes more than it may.
bool exceeds_disk(const Plan& plan) {
  std::int64_t left = plan.disk_bytes;
  int n_left = most_files;
  subtract_folder(AT_FDCWD, plan.writable.c_str(), left, n_left);
  return left < 0 || n_left < 0;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

volatile std::sig_atomic_t is_stopped = 0;

void on_stop(int) { is_stopped = 1; }

class Supervisor {
 public:
  Supervisor(const Plan& plan, pid_t program) : plan_(plan), program_(program) {}

  void run() {
    const std::int64_t most_tasks = plan_.n_tasks - plan_.n_tasks / 8;  // fork() fails before n_tasks are seen
    for (;;) {
      if (reap()) return;
      const Use use = look();
      if (use.n_tasks > most_tasks) return report(plan_, "tasks");
      if (use.memory_bytes > plan_.memory_bytes) return report(plan_, "memory");
      if (now_s() - disk_seen_s_ > disk_interval_s) {
        if (exceeds_disk(plan_)) return report(plan_, "disk");
        disk_seen_s_ = now_s();
      }
      count_time(use);
      if (kill_at_s_ > 0 && now_s() > kill_at_s_) return report(plan_, is_late_ ? "time" : "signal 9");
      wait();
    }
  }

 private:
  /// Reaps processes; reports the program's ending, and returns true, when it is among them.
  bool reap() {
    int status = 0;
    rusage used{};
    for (pid_t id; (id = wait4(-1, &status, WNOHANG, &used)) > 0;) {
      reaped_s_ += seconds(used.ru_utime) + seconds(used.ru_stime);
      if (id != program_) continue;
      if (is_late_) {
        report(plan_, "time");
      } else if (WIFSIGNALED(status)) {
        report(plan_, "signal " + std::to_string(WTERMSIG(status)));
      } else if (exceeds_disk(plan_)) {
        report(plan_, "disk");
      } else {
        report(plan_, "code " + std::to_string(WEXITSTATUS(status)));
      }
      return true;
    }
    return false;
  }

  /// Counts processor time while a process can run, and wall time while all sleep, so that a busy machine does not
  /// shorten the limit. Ends the program when its time is up or the tool asks for it.
  void count_time(const Use& use) {
    const double wall = now_s(), processor = use.processor_s + reaped_s_;
    const double passed = wall - seen_s_, calculated = std::max(processor - processor_s_, 0.0);
    used_s_ += use.can_run ? calculated : passed;
    seen_s_ = wall;
    processor_s_ = std::max(processor, processor_s_);
    const bool is_late = used_s_ > plan_.time_limit_s;
    if (kill_at_s_ > 0 || (!is_late && is_stopped == 0)) return;
    is_late_ = is_late;
    kill_at_s_ = wall + patience_s;
    kill(-1, SIGTERM);
  }

  static void wait() {
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    const timespec interval{0, static_cast<long>(interval_s * 1e9)};
    sigtimedwait(&child, nullptr, &interval);
  }

  const Plan& plan_;
  pid_t program_;
  double seen_s_ = now_s(), disk_seen_s_ = 0, kill_at_s_ = 0;
  double reaped_s_ = 0, processor_s_ = 0, used_s_ = 0;
  bool is_late_ = false;
};

}  // namespace

void supervise(const Plan& plan, pid_t program) {
  struct sigaction stop {};
  stop.sa_handler = on_stop;
  sigaction(SIGTERM, &stop, nullptr);
  Supervisor(plan, program).run();
}

}  // namespace rafter::sandbox

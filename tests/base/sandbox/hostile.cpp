// hostile ACT [PATH]: one attack on the tool or the machine, or its honest counterpart. An act that the sandbox refuses
// prints "refused: " and why, and returns 0; one that succeeds prints "done".
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

int result(bool is_done) {
  if (is_done) {
    std::puts("done");
  } else {
    std::printf("refused: %s\n", std::strerror(errno));
  }
  return 0;
}

int fork_forever() {
  signal(SIGCHLD, SIG_IGN);
  for (;;) {
    if (fork() < 0) usleep(1000);
  }
}

int use_memory(std::size_t n_blocks) {
  constexpr std::size_t block = 1 << 20;
  std::vector<char*> all;
  for (std::size_t i = 0; n_blocks == 0 || i < n_blocks; ++i) {
    all.push_back(static_cast<char*>(std::malloc(block)));
    if (all.back() == nullptr) return result(false);
    std::memset(all.back(), 1, block);
  }
  return result(all.back()[0] == 1);
}

// Several processes that each stay below the limit.
int use_memory_together() {
  for (int i = 0; i < 7; ++i) {
    if (fork() > 0) continue;
    use_memory(60);
    pause();
  }
  pause();
  return 0;
}

int fill_disk(int n_files) {
  const std::vector<char> block(1 << 20, 'x');
  for (int i = 0; n_files == 0 || i < n_files; ++i) {
    const int file = open(("file" + std::to_string(i)).c_str(), O_WRONLY | O_CREAT, 0644);
    if (file < 0 || write(file, block.data(), block.size()) < 0) return result(false);
    close(file);
  }
  return result(true);
}

int write_large_file() {
  signal(SIGXFSZ, SIG_IGN);
  const std::vector<char> block(1 << 20, 'x');
  const int file = open("large", O_WRONLY | O_CREAT, 0644);
  for (int i = 0; i < 100; ++i) {
    if (write(file, block.data(), block.size()) != static_cast<ssize_t>(block.size())) return result(false);
  }
  return result(true);
}

int reach_network(const std::string& port) {
  const int file = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return result(file >= 0 && connect(file, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
}

int read_from(const std::string& path) {
  char text[100];
  const int file = open(path.c_str(), O_RDONLY);
  const ssize_t n = file < 0 ? -1 : read(file, text, sizeof text);
  if (n > 0) fwrite(text, 1, static_cast<std::size_t>(n), stdout);
  return result(n >= 0);
}

int write_to(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  return result(file >= 0 && write(file, "x", 1) == 1);
}

// Process 1, the parent, is the sandbox's own.
int kill_parent() {
  kill(getppid(), SIGKILL);
  kill(-1, SIGKILL);
  usleep(100'000);
  return result(kill(getppid(), 0) != 0);
}

int trace_parent() { return result(ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0); }

int read_parent() { return read_from("/proc/" + std::to_string(getppid()) + "/mem"); }

// Leaves a process of its own session behind, which writes to the file again and again.
int leave_daemon(const std::string& path) {
  if (fork() > 0) return result(true);
  setsid();
  if (fork() > 0) _exit(0);
  for (;;) {
    write_to(path);
    usleep(1000);
  }
}

int become_root() { return result(unshare(CLONE_NEWUSER) == 0); }

int mount_something() { return result(mount("tmpfs", "/tmp", "tmpfs", 0, nullptr) == 0); }

int hide_memory() { return result(syscall(SYS_memfd_create, "x", 0) >= 0); }

int share_memory() {
  const int flags = MAP_SHARED | MAP_ANONYMOUS;
  return result(mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED);
}

int print_environment() {
  for (char** entry = environ; *entry != nullptr; ++entry) std::puts(*entry);
  return 0;
}

// What an ordinary program does: threads, children, memory, files.
int be_honest() {
  int sum = 0;
  std::thread([&] { sum = 1; }).join();
  const bool has_child = std::system("true") == 0;
  use_memory(50);
  return result(sum == 1 && has_child && fill_disk(3) == 0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string act = argc > 1 ? argv[1] : "", path = argc > 2 ? argv[2] : "";
  if (act == "honest") return be_honest();
  if (act == "fork") return fork_forever();
  if (act == "memory") return use_memory(0);
  if (act == "memory_together") return use_memory_together();
  if (act == "disk") return fill_disk(0);
  if (act == "file") return write_large_file();
  if (act == "network") return reach_network(path);
  if (act == "read") return read_from(path);
  if (act == "write") return write_to(path);
  if (act == "kill") return kill_parent();
  if (act == "trace") return trace_parent();
  if (act == "read_parent") return read_parent();
  if (act == "daemon") return leave_daemon(path);
  if (act == "user") return become_root();
  if (act == "mount") return mount_something();
  if (act == "shared") return share_memory();
  if (act == "memfd") return hide_memory();
  if (act == "environment") return print_environment();
  if (act == "sleep") return static_cast<int>(pause());
  return 2;
}

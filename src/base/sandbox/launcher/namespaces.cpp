#include "base/sandbox/launcher/namespaces.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace rafter::sandbox {
namespace {

// While the new root is being made, it is in a folder of a temporary file system, and the old root in another.
constexpr const char* workbench = "/tmp";
const std::string new_root = "/new", old_root = "/old";

constexpr unsigned unprivileged = 65534;  // the caller's name inside: a user and a group that own nothing

bool can_administrate() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  if (geteuid() != 0 || syscall(SYS_capget, &header, data) != 0) return false;
  const auto has = [&](int capability) { return (data[capability / 32].effective >> (capability % 32) & 1) != 0; };
  return has(CAP_SYS_ADMIN) && has(CAP_SETUID) && has(CAP_SETGID) && has(CAP_CHOWN);
}

bool write_text(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  return is_written;
}

void make_folders(const std::string& path) {
  for (std::size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
    mkdir(path.substr(0, at).c_str(), 0755);
  mkdir(path.c_str(), 0755);
}

/// Makes an empty file or folder to mount on.
void make_place(const std::string& path, bool is_folder) {
  if (is_folder) return make_folders(path);
  make_folders(path.substr(0, path.rfind('/')));
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (file >= 0) close(file);
}

void mount_or_fail(const Plan& plan, const char* type, const std::string& place, unsigned long flags,
                   const std::string& options = "") {
  make_place(place, true);
  if (mount(type, place.c_str(), type, flags, options.empty() ? nullptr : options.c_str()) != 0)
    fail(plan, std::string("mount ") + type, errno);
}

enum class Access { read, write, device };

/// Shows a path of the old file system, without links in it, at a place of the new one.
void show_at(const Plan& plan, const std::string& path, const std::string& place, Access access) {
  const std::string from = old_root + path, to = new_root + place;
  struct stat status {};
  if (stat(from.c_str(), &status) != 0) fail(plan, "find " + path, errno);
  make_place(to, S_ISDIR(status.st_mode));
  if (mount(from.c_str(), to.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0) fail(plan, "show " + path, errno);
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_NOSUID;
  if (access != Access::device) attributes.attr_set |= MOUNT_ATTR_NODEV;
  if (access != Access::write) attributes.attr_set |= MOUNT_ATTR_RDONLY;
  if (syscall(SYS_mount_setattr, AT_FDCWD, to.c_str(), AT_RECURSIVE, &attributes, sizeof attributes) != 0)
    fail(plan, "protect " + path, errno);
}

void show(const Plan& plan, const std::string& path, Access access) { show_at(plan, path, path, access); }

/// A path of the caller, which may contain links, and the path without them.
struct Shown {
  std::string path, real;
};

Shown resolved(const Plan& plan, const std::string& path) {
  char real[PATH_MAX];
  if (realpath(path.c_str(), real) == nullptr) fail(plan, "find " + path, errno);
  return {path, real};
}

void show(const Plan& plan, const Shown& shown, Access access) {
  show_at(plan, shown.real, shown.real, access);
  if (shown.path != shown.real) show_at(plan, shown.real, shown.path, access);
}

/// Shows a path of the system, if it exists. Links such as /bin become links.
void show_system(const Plan& plan, const std::string& path) {
  const std::string from = old_root + path;
  struct stat status {};
  if (lstat(from.c_str(), &status) != 0) return;
  if (!S_ISLNK(status.st_mode)) return show(plan, path, Access::read);
  char target[PATH_MAX];
  const ssize_t n = readlink(from.c_str(), target, sizeof target - 1);
  if (n <= 0) return;
  target[n] = '\0';
  if (symlink(target, (new_root + path).c_str()) != 0 && errno != EEXIST) fail(plan, "link " + path, errno);
}

void show_devices(const Plan& plan, const std::string& memory_limit) {
  // Without /dev/zero: mapped, it is memory that no process's size includes.
  for (const char* device : {"/dev/null", "/dev/full", "/dev/random", "/dev/urandom"})
    show(plan, device, Access::device);
  const std::pair<const char*, const char*> links[] = {{"/proc/self/fd", "/dev/fd"},
                                                       {"/proc/self/fd/0", "/dev/stdin"},
                                                       {"/proc/self/fd/1", "/dev/stdout"},
                                                       {"/proc/self/fd/2", "/dev/stderr"}};
  for (const auto& [target, name] : links) {
    if (symlink(target, (new_root + name).c_str()) != 0) fail(plan, std::string("link ") + name, errno);
  }
  mount_or_fail(plan, "tmpfs", new_root + "/dev/shm", MS_NOSUID | MS_NODEV | MS_NOEXEC, memory_limit);
}

/// Gives a folder and everything in it to the program's user. Links are not followed.
void pass_on(const Plan& plan, int parent, const char* name) {
  if (fchownat(parent, name, plan.user, plan.group, AT_SYMLINK_NOFOLLOW) != 0)
    fail(plan, std::string("pass on ") + name, errno);
  const int file = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return;  // not a folder
  DIR* folder = fdopendir(file);
  while (const dirent* entry = folder != nullptr ? readdir(folder) : nullptr) {
    const std::string_view child = entry->d_name;
    if (child != "." && child != "..") pass_on(plan, file, entry->d_name);
  }
  if (folder != nullptr) closedir(folder);
}

int pivot_root(const char* to, const char* old) { return static_cast<int>(syscall(SYS_pivot_root, to, old)); }

}  // namespace

void enter_namespaces(Plan& plan) {
  plan.user = getuid();
  plan.group = getgid();
  plan.is_root = can_administrate();
  int kinds = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
  if (!plan.is_root) kinds |= CLONE_NEWUSER;
  if (unshare(kinds) != 0) fail(plan, "create namespaces", errno);
  if (plan.is_root) {
    plan.user = plan.group = plan.user_of_root;
    return;
  }
  // Inside, the caller has no privileges either: it is not the root of the namespace.
  if (!write_text("/proc/self/setgroups", "deny") ||
      !write_text("/proc/self/uid_map", std::to_string(unprivileged) + " " + std::to_string(plan.user) + " 1") ||
      !write_text("/proc/self/gid_map", std::to_string(unprivileged) + " " + std::to_string(plan.group) + " 1"))
    fail(plan, "map the user", errno);
}

void enter_root(const Plan& plan) {
  std::vector<Shown> readable;
  for (const std::string& path : plan.readable) readable.push_back(resolved(plan, path));
  const Shown writable = resolved(plan, plan.writable);
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) fail(plan, "separate the mounts", errno);
  if (mount("tmpfs", workbench, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755") != 0 || chdir(workbench) != 0 ||
      mkdir("new", 0755) != 0 || mkdir("old", 0755) != 0 || pivot_root(".", "old") != 0 || chdir("/") != 0)
    fail(plan, "make a root folder", errno);
  const std::string memory_limit = "mode=1777,size=" + std::to_string(plan.memory_bytes / 8);
  mount_or_fail(plan, "tmpfs", new_root, MS_NOSUID | MS_NODEV, "mode=755,size=1m");
  for (const char* path : {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/alternatives",
                           "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"}) {
    show_system(plan, path);
  }
  mount_or_fail(plan, "proc", new_root + "/proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY);
  show_devices(plan, memory_limit);
  mount_or_fail(plan, "tmpfs", new_root + "/tmp", MS_NOSUID | MS_NODEV, memory_limit);
  for (const Shown& shown : readable) show(plan, shown, Access::read);
  show(plan, writable, Access::write);
  make_folders(new_root + plan.folder);
  if (plan.is_root) pass_on(plan, AT_FDCWD, (new_root + writable.real).c_str());
  if (mount(nullptr, new_root.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, nullptr) != 0)
    fail(plan, "protect the root folder", errno);
  if (chdir(new_root.c_str()) != 0 || pivot_root(".", ".") != 0 || umount2(".", MNT_DETACH) != 0 || chdir("/") != 0)
    fail(plan, "enter the root folder", errno);
  if (chdir(plan.folder.c_str()) != 0) fail(plan, "enter " + plan.folder, errno);
}

}  // namespace rafter::sandbox

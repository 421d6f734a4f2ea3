#include "workbench/family/build.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <sstream>
#include <thread>

#include "base/file_lock.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "rafter/error.hpp"
#include "workbench/family/new_workload.hpp"

namespace rafter::family {

namespace fs = std::filesystem;

namespace {

bool is_on_path(const char* program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// Returns the build folder for a folder and an installation of Rafter.
fs::path build_of(const fs::path& folder, const fs::path& package) {
  char key[17];
  const std::size_t hash = std::hash<std::string>{}(folder.string() + "\n" + package.string());
  std::snprintf(key, sizeof key, "%016zx", hash);
  return base::cache_folder() / "workloads" / (folder.filename().string() + "-" + key);
}

/// Acquires the lock, so that one process builds at a time; others wait.
base::FileLock wait_for_lock(const fs::path& path, const std::function<void(const std::string&)>& say) {
  for (;;) {
    base::FileLock lock(path, "a build");
    if (!lock.holder()) return lock;
    say("waiting for another process that is building it");
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
}

[[noreturn]] void refuse_empty(const fs::path& folder) {
  throw Error(ErrorCode::bad_argument,
              "'" + folder.string() +
                  "' has no workload: its CMakeLists.txt does not call rafter_add_workload(NAME), " +
                  "or its compiler is not g++, which the executor needs");
}

/// Whether the output of ninja or make reports that the folder does not define the target, or no longer does.
bool knows_no_target(const std::string& output) {
  return output.find(" target 'rafter_workloads") != std::string::npos;
}

/// Runs a command; `what` describes a failure of the folder.
void run_or_throw(const base::Command& command, const fs::path& folder, const std::string& what, const fs::path& log) {
  const base::Outcome ended = base::run(command);
  base::write_file(log, base::shell_quoted(command) + "\n" + ended.output);
  if (ended.succeeded()) return;
  if (knows_no_target(ended.output)) refuse_empty(folder);
  const std::string complaints = complaints_in(ended.output);
  throw Error(ErrorCode::io, "'" + folder.string() + "' " + what + ":\n" +
                                 (complaints.empty() ? ended.output : complaints) + "        the complete log is " +
                                 log.string());
}

/// Removes builds of folders that were deleted.
void remove_orphans(const fs::path& builds) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(builds, error)) {
    std::istringstream cache(base::read_file(entry.path() / "CMakeCache.txt").value_or(""));
    constexpr std::string_view home = "CMAKE_HOME_DIRECTORY:INTERNAL=";
    for (std::string line; std::getline(cache, line);) {
      if (!line.starts_with(home) || fs::exists(line.substr(home.size()), error)) continue;
      fs::remove_all(entry.path(), error);
      for (const char* ending : {".log", ".lock"}) fs::remove(entry.path().string() + ending, error);
    }
  }
}

void configure(const fs::path& folder, const fs::path& build, const fs::path& package) {
  base::Command command{"cmake",
                        "-S",
                        folder.string(),
                        "-B",
                        build.string(),
                        "-Drafter_DIR=" + package.string(),
                        "-DCMAKE_BUILD_TYPE=Release"};
  if (is_on_path("ninja")) command.insert(command.end(), {"-G", "Ninja"});
  if (fs::exists(RAFTER_CXX_COMPILER)) command.push_back("-DCMAKE_CXX_COMPILER=" RAFTER_CXX_COMPILER);
  if (fs::exists(RAFTER_CUDA_COMPILER)) command.push_back("-DCMAKE_CUDA_COMPILER=" RAFTER_CUDA_COMPILER);
  fs::remove_all(build);  // remains of a failed configuration
  remove_orphans(build.parent_path());
  run_or_throw(command, folder, "cannot be configured", build.string() + ".log");
}

std::vector<fs::path> objects_in(const fs::path& list, const fs::path& folder) {
  std::vector<fs::path> objects;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(list, error))
    objects.emplace_back(base::read_file(entry.path()).value_or(""));
  if (objects.empty()) refuse_empty(folder);
  std::sort(objects.begin(), objects.end());
  return objects;
}

/// Whether the line is an intermediate template instantiation; the last one, "required from here", is kept.
bool is_instantiation(const std::string& line) {
  for (const char* words : {":   required from '", ":   required from ‘", ":   required by substitution",
                            ":   recursively required", ":   [ skipping "}) {
    if (line.find(words) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

std::string complaints_in(const std::string& output) {
  constexpr int most_lines = 60;
  std::istringstream lines(output);
  std::string text;
  int n = 0;
  bool is_command = false;
  for (std::string line; std::getline(lines, line);) {
    const bool was_failed = std::exchange(is_command, line.starts_with("FAILED: "));  // the command follows
    const bool is_progress = line.starts_with("[") || line.starts_with("-- ") || line.starts_with("ninja: ");
    if (was_failed || is_command || is_progress || is_instantiation(line) || (line.empty() && text.empty())) continue;
    if (++n > most_lines) return text + "        ... and more\n";
    text += line + "\n";
  }
  return text;
}

std::vector<fs::path> build_folder(const fs::path& given, Flavour flavour,
                                   const std::function<void(const std::string&)>& say) {
  if (!fs::exists(given / "CMakeLists.txt")) {
    throw Error(ErrorCode::bad_argument, "'" + given.string() +
                                             "' has no CMakeLists.txt; a workload's folder is created by " +
                                             "'rafter new workload NAME'");
  }
  if (!is_on_path("cmake"))
    throw Error(ErrorCode::io,
                "building a folder needs cmake, which is not on the PATH; install it (Debian's package: cmake)");
  const fs::path folder = fs::canonical(given), package = package_folder(), build = build_of(folder, package);
  const char* list = flavour == Flavour::executor ? "rafter_workloads_simt" : "rafter_workloads";
  fs::create_directories(build.parent_path());
  const base::FileLock lock = wait_for_lock(build.string() + ".lock", say);
  say("building " + given.string());
  if (!fs::exists(build / list)) configure(folder, build, package);  // among the last files that CMake writes
  if (!fs::exists(build / list)) refuse_empty(folder);
  const std::string n_jobs = std::to_string(std::max(1U, std::thread::hardware_concurrency()));
  run_or_throw({"cmake", "--build", build.string(), "--parallel", n_jobs, "--target", list}, given, "does not build",
               build.string() + ".log");
  return objects_in(build / list, folder);
}

}  // namespace rafter::family

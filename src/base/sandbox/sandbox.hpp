// Runs untrusted programs: user code, and the compilers and binary utilities that read it. The program sees a file
// system of its own, in which nothing but one folder can be written, no network, and no process but its own, and it has
// limits. rafter-sandbox (launcher/) sets this up and enforces it; where it cannot, nothing is run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rafter::base {

/// The most that the processes in one sandbox may use together.
struct SandboxLimits {
  std::int64_t memory_bytes = std::int64_t{8} << 30;
  std::int64_t disk_bytes = std::int64_t{4} << 30;  ///< in the writable folder
  std::int64_t file_bytes = std::int64_t{2} << 30;  ///< of one file
  int n_tasks = 1024;                               ///< processes and threads
  double time_limit_s = 600;                        ///< as Process::time_limit_s; the smaller one counts
};

struct Sandbox {
  /// Files and folders that can be read, besides the system's programs and libraries and Rafter's own. Their paths are
  /// those outside.
  std::vector<std::filesystem::path> readable{};
  /// The folder that can be written, the program's home. May be inside a readable folder.
  std::filesystem::path writable{};
  /// The program's current folder; empty: that of this process. It exists, but what is not readable is not in it.
  std::filesystem::path folder{};
  SandboxLimits limits{};
};

/// Returns why this machine cannot run programs in a sandbox, as a sentence; nullopt if it can.
std::optional<std::string> why_no_sandbox();

/// Returns the sentence that refuses an untrusted program for this reason.
std::string untrusted_refusal(const std::string& reason);

/// Returns a sentence about a limit (Outcome::exceeded, or "time") that ended a program.
std::string limit_text(const std::string& exceeded, const SandboxLimits& limits = {});

/// While an object exists, every program that this process runs (base/process.hpp) runs in its sandbox, with a clean
/// environment. The last object counts. Throws Error (unsupported) where sandboxes are unavailable.
class Confinement {
 public:
  explicit Confinement(Sandbox sandbox);
  ~Confinement();
  Confinement(const Confinement&) = delete;
  Confinement& operator=(const Confinement&) = delete;

 private:
  const Sandbox* outer_;
  Sandbox sandbox_;
};

/// Returns the sandbox for the programs of this process, or nullptr.
const Sandbox* current_sandbox();

/// Returns whether this process may read a file that untrusted input names: always, unless it is confined and the file
/// is invisible in the sandbox.
bool may_read(const std::filesystem::path& file);

}  // namespace rafter::base

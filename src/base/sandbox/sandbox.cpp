#include "base/sandbox/sandbox.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/process.hpp"
#include "base/units.hpp"
#include "rafter/error.hpp"

namespace rafter::base {

namespace fs = std::filesystem;

namespace {

const Sandbox* current = nullptr;

// What launcher/namespaces.cpp shows of the system.
constexpr const char* system_folders[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};

bool is_within(const fs::path& file, const fs::path& folder) {
  const auto [rest, other] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return rest == folder.end();
}

fs::path real_path(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : real;
}

}  // namespace

std::optional<std::string> why_no_sandbox() {
  static const std::optional<std::string> reason = []() -> std::optional<std::string> {
    const ScratchFolder scratch;
    const Sandbox* const outer = current;
    const Sandbox probe{.writable = scratch.path(), .folder = scratch.path()};
    current = &probe;
    std::optional<std::string> found;
    try {
      if (!run({"true"}).succeeded()) found = "a program in a sandbox fails";
    } catch (const Error& error) {
      found = error.what();
    }
    current = outer;
    return found;
  }();
  return reason;
}

std::string untrusted_refusal(const std::string& reason) {
  return "untrusted programs cannot run here: " + reason +
         "; Linux 5.12 or later with user namespaces, or root with CAP_SYS_ADMIN, is needed";
}

std::string limit_text(const std::string& exceeded, const SandboxLimits& limits) {
  if (exceeded == "time") return fmt::format("it did not end within {:g} s", limits.time_limit_s);
  if (exceeded == "tasks") return fmt::format("it started more than {} processes and threads", limits.n_tasks * 7 / 8);
  return fmt::format("it used more than {} of {}",
                     show_bytes(static_cast<double>(exceeded == "memory" ? limits.memory_bytes : limits.disk_bytes)),
                     exceeded);
}

Confinement::Confinement(Sandbox sandbox) : outer_(current), sandbox_(std::move(sandbox)) {
  if (const auto reason = why_no_sandbox()) throw Error(ErrorCode::unsupported, untrusted_refusal(*reason));
  std::erase_if(sandbox_.readable, [](const fs::path& path) { return !fs::exists(path); });
  if (sandbox_.folder.empty()) sandbox_.folder = fs::current_path();
  current = &sandbox_;
}

Confinement::~Confinement() { current = outer_; }

const Sandbox* current_sandbox() { return current; }

bool may_read(const fs::path& file) {
  if (current == nullptr) return true;
  const fs::path real = real_path(file);
  const auto shows = [&](const fs::path& folder) { return is_within(real, real_path(folder)); };
  return std::any_of(std::begin(system_folders), std::end(system_folders), shows) ||
         std::any_of(current->readable.begin(), current->readable.end(), shows) || shows(current->writable);
}

}  // namespace rafter::base

#include "executor/runtime/plain_report.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "executor/process/findings.hpp"

namespace rafter::simt {
namespace {

std::string coordinates_of(const uint3& at) {
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) + ")";
}

/// Returns the first line of the user's code that addr2line names for an address of a module; empty if there is none.
std::string line_at(const std::string& module, const std::string& offset) {
  if (module.find('\'') != std::string::npos) return "";
  const std::string command = "addr2line -i -e '" + module + "' " + offset + " 2>/dev/null";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> output(popen(command.c_str(), "r"), &pclose);
  std::string found;
  std::array<char, 4096> line;
  while (output && std::fgets(line.data(), line.size(), output.get())) {
    const std::string text(line.data());
    const bool is_own = text.find("/rafter_simt/") != std::string::npos || text.starts_with("??") ||
                        text.find(":?") != std::string::npos;
    if (found.empty() && !is_own) found = text.substr(0, text.find_first_of(" \n"));
  }
  return found;
}

std::string where(const void* place) {
  Dl_info module;
  if (!place || !dladdr(place, &module)) return "";
  // A place is a return address: the call is the instruction before it.
  std::array<char, 24> offset{};
  std::snprintf(
      offset.data(), offset.size(), "0x%zx",
      static_cast<std::size_t>(static_cast<const char*>(place) - static_cast<const char*>(module.dli_fbase)) - 1);
  const std::string line = line_at(module.dli_fname, offset.data());
  return (line.empty() ? std::string(module.dli_fname) + "+" + offset.data() : line) + ": ";
}

std::string text_of(const Side& side) {
  std::string actor = side.actor;
  if (side.thread && side.block)
    actor = "thread " + coordinates_of(*side.thread) + " of block " + coordinates_of(*side.block);
  return "    " + where(side.place) + (actor.empty() ? "" : actor + " ") + side.action + "\n";
}

}  // namespace

std::string plain_report() {
  const std::vector<KernelRecord> kernels = findings().kernels();
  const bool has_failed =
      std::any_of(kernels.begin(), kernels.end(), [](const KernelRecord& one) { return !one.failure.empty(); });
  std::string text;
  for (const Finding& finding : findings().all()) {
    if (finding.kind != Kind::lockstep && (!has_failed || finding.is_note)) continue;
    text += std::string("rafter: ") + name(finding.kind) +
            (finding.kernel.empty() ? "" : " in kernel " + finding.kernel) + "\n";
    for (const Side& side : finding.sides) text += text_of(side);
    if (!finding.detail.empty()) text += "    " + finding.detail + "\n";
  }
  for (const KernelRecord& kernel : kernels) {
    if (!kernel.failure.empty()) text += "rafter: kernel " + kernel.name + " failed: " + kernel.failure + "\n";
  }
  return text;
}

}  // namespace rafter::simt

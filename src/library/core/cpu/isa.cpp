#include "library/core/cpu/isa.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "rafter/error.hpp"

namespace rafter::core {

namespace {

struct Names {
  std::string_view level;
  std::string_view option;  // of RAFTER_ISA and of RafterIsa.cmake
};
constexpr std::array<Names, 6> names{{{"baseline", "base"},
                                      {"SVE of 128 bits", "sve128"},
                                      {"SVE of 256 bits", "sve256"},
                                      {"x86-64-v2", "v2"},
                                      {"x86-64-v3", "v3"},
                                      {"x86-64-v4", "v4"}}};

#define RAFTER_BUILT_LEVEL(level, ...) IsaLevel::level,
constexpr std::array built{RAFTER_FOR_ISA_LEVELS(RAFTER_BUILT_LEVEL)};

/// Returns the highest level that the environment allows.
IsaLevel limit() {
  const char* text = std::getenv("RAFTER_ISA");
  const std::string_view wanted = text != nullptr ? text : "";
  if (wanted.empty()) return IsaLevel::v4;
  const auto found = std::find_if(names.begin(), names.end(), [&](const Names& n) { return n.option == wanted; });
  if (found == names.end()) {
    throw Error(ErrorCode::bad_argument,
                "RAFTER_ISA must be base, sve128, sve256, v2, v3 or v4, is '" + std::string(wanted) + "'");
  }
  return static_cast<IsaLevel>(found - names.begin());
}

IsaLevel choose() {
  const IsaLevel host = host_isa_level();
  if (!runs_on(host, built.front())) {
    throw Error(ErrorCode::unsupported, "this build requires " + std::string(name(built.front())) +
                                            ", but this machine has " + std::string(name(host)) +
                                            "; configure with -DRAFTER_ISA_LEVELS=all");
  }
  const IsaLevel most = limit();
  IsaLevel best = built.front();
  for (const IsaLevel level : built) {
    if (level <= most && runs_on(host, level)) best = level;
  }
  return best;
}

}  // namespace

IsaLevel isa_level() {
  static const IsaLevel level = choose();
  return level;
}

std::string_view name(IsaLevel level) noexcept { return names[static_cast<std::size_t>(level)].level; }

}  // namespace rafter::core

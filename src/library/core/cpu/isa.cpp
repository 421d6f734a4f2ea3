#include "library/core/cpu/isa.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "rafter/error.hpp"

namespace rafter::core {

namespace {

constexpr std::array<std::string_view, 4> names{"baseline", "x86-64-v2", "x86-64-v3", "x86-64-v4"};

#define RAFTER_BUILT_LEVEL(level, ...) IsaLevel::level,
constexpr std::array built{RAFTER_FOR_ISA_LEVELS(RAFTER_BUILT_LEVEL)};

IsaLevel limit() noexcept {
  const char* text = std::getenv("RAFTER_ISA");
  const std::string_view wanted = text != nullptr ? text : "";
  return wanted == "v2" ? IsaLevel::v2 : wanted == "v3" ? IsaLevel::v3 : IsaLevel::v4;
}

IsaLevel choose() {
  const IsaLevel host = host_isa_level();
  if (built.front() > host) {
    throw Error(ErrorCode::unsupported, "this build requires " + std::string(name(built.front())) +
                                            ", but this machine has " + std::string(name(host)) +
                                            "; configure with -DRAFTER_ISA_LEVELS=all");
  }
  IsaLevel best = built.front();
  for (const IsaLevel level : built) {
    if (level <= std::min(limit(), host)) best = level;
  }
  return best;
}

}  // namespace

IsaLevel isa_level() {
  static const IsaLevel level = choose();
  return level;
}

std::string_view name(IsaLevel level) noexcept { return names[static_cast<std::size_t>(level)]; }

}  // namespace rafter::core

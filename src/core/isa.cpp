#include "core/isa.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace rafter::core {

namespace {

constexpr std::array<std::string_view, 4> names{"baseline", "x86-64-v2", "x86-64-v3", "x86-64-v4"};

IsaLevel supported() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd");
  return v4 ? IsaLevel::v4 : v3 ? IsaLevel::v3 : IsaLevel::v2;
#else
  return IsaLevel::base;
#endif
}

IsaLevel choose() noexcept {
  const char* text = std::getenv("RAFTER_ISA");
  const std::string_view wanted = text != nullptr ? text : "";
  const IsaLevel limit = wanted == "v2" ? IsaLevel::v2 : wanted == "v3" ? IsaLevel::v3 : IsaLevel::v4;
  return std::min(limit, supported());
}

}  // namespace

IsaLevel isa_level() noexcept {
  static const IsaLevel level = choose();
  return level;
}

std::string_view name(IsaLevel level) noexcept { return names[static_cast<std::size_t>(level)]; }

}  // namespace rafter::core

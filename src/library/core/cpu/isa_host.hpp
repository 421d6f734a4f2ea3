// The best instruction-set level of the machine it runs on. Also used when configuring (cmake/RafterIsa.cmake).
#pragma once

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace rafter::core {

/// The levels of x86-64 include the ones before. Those of aarch64 are NEON, and SVE with vectors of exactly 128 or 256
/// bits: a machine runs base and at most one other.
enum class IsaLevel { base, sve128, sve256, v2, v3, v4 };

inline IsaLevel host_isa_level() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512cd");
  return v4 ? IsaLevel::v4 : v3 ? IsaLevel::v3 : IsaLevel::v2;
#elif defined(__aarch64__) && defined(__linux__)
  constexpr unsigned long has_sve = 1UL << 22;                 // HWCAP_SVE
  constexpr int get_vector_length = 51, length_mask = 0xffff;  // PR_SVE_GET_VL; bytes, for this thread
  if ((getauxval(AT_HWCAP) & has_sve) == 0) return IsaLevel::base;
  const int length = prctl(get_vector_length) & length_mask;
  return length == 32 ? IsaLevel::sve256 : length == 16 ? IsaLevel::sve128 : IsaLevel::base;
#else
  return IsaLevel::base;
#endif
}

/// Whether a machine whose best level is `host` runs code of a level.
constexpr bool runs_on(IsaLevel host, IsaLevel level) noexcept {
  const bool is_sve = level == IsaLevel::sve128 || level == IsaLevel::sve256;
  return is_sve ? level == host : level <= host;
}

}  // namespace rafter::core

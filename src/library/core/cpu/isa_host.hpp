// The best instruction-set level of the machine it runs on. Also used when configuring (cmake/RafterIsa.cmake).
#pragma once

namespace rafter::core {

enum class IsaLevel { base, v2, v3, v4 };

inline IsaLevel host_isa_level() noexcept {
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

}  // namespace rafter::core

// CPU loops compiled once per instruction-set level; the best level is selected at run time.
//
// A family's NAME_simd.cpp contains plain loops and ends with RAFTER_ISA_TABLE(Loops, loops) = {first_loop,
// second_loop}. Its header declares RAFTER_DECLARE_ISA_TABLE(Loops, loops); loops() then returns the table of the best
// level. cmake/RafterIsa.cmake compiles such files with RAFTER_ISA set to the name of each level of this build.
#pragma once

#include <string_view>

#include "library/core/cpu/isa_host.hpp"
#include "library/core/cpu/isa_levels.hpp"

#define RAFTER_DECLARE_ISA_TABLE(Table, table)                  \
  RAFTER_FOR_ISA_LEVELS(RAFTER_DECLARE_ISA_LEVEL, Table, table) \
  inline const Table& table() {                                 \
    switch (::rafter::core::isa_level()) {                      \
      RAFTER_FOR_ISA_LEVELS(RAFTER_ISA_CASE, table)             \
      default: __builtin_unreachable();                         \
    }                                                           \
  }
#define RAFTER_DECLARE_ISA_LEVEL(level, Table, table) extern const Table table##_##level;
#define RAFTER_ISA_CASE(level, table)   \
  case ::rafter::core::IsaLevel::level: \
    return table##_##level;

#define RAFTER_ISA_JOIN_(a, b) a##_##b
#define RAFTER_ISA_JOIN(a, b) RAFTER_ISA_JOIN_(a, b)
#define RAFTER_ISA_TABLE(Table, table) extern const Table RAFTER_ISA_JOIN(table, RAFTER_ISA)

namespace rafter::core {

/// The bytes of a vector at the level that the file is compiled for.
#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX2__) || (defined(__ARM_FEATURE_SVE_BITS) && __ARM_FEATURE_SVE_BITS == 256)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif

/// Returns the best level of this build that this machine supports. RAFTER_ISA in the environment selects a lower level
/// of this build: v2 or v3 on x86-64, base on aarch64. Throws Error (unsupported) if the build has no level for this
/// machine, and (bad_argument) if RAFTER_ISA is not the name of a level.
IsaLevel isa_level();
std::string_view name(IsaLevel level) noexcept;

}  // namespace rafter::core

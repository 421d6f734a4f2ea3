// CPU loops compiled once per instruction-set level, the best level picked at run time.
//
// A family's NAME_simd.cpp holds plain loops and ends with RAFTER_ISA_TABLE(Loops, loops) = {first_loop, second_loop};
// its header says RAFTER_DECLARE_ISA_TABLE(Loops, loops), after which loops() is the table of the best level.
// cmake/RafterIsa.cmake compiles such files with RAFTER_ISA set to the name of each level of this build.
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

/// A vector's, at the level that a file is compiled for.
#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif

/// The best level of this build that this machine runs; RAFTER_ISA=v2|v3|v4 in the environment asks for a lower one,
/// where this build has one. Throws Error (unsupported) where it has none for this machine.
IsaLevel isa_level();
std::string_view name(IsaLevel level) noexcept;

}  // namespace rafter::core

// CPU loops compiled once per instruction-set level, the best level picked at run time.
//
// A family's NAME_simd.cpp holds plain loops and ends with RAFTER_ISA_TABLE(Loops, loops) = {first_loop, second_loop};
// its header says RAFTER_DECLARE_ISA_TABLE(Loops, loops), after which loops() is the table of the best level.
// cmake/RafterIsa.cmake compiles such files with RAFTER_ISA set to each level's name.
#pragma once

#include <string_view>

#if defined(__x86_64__)
#define RAFTER_DECLARE_ISA_TABLE(Table, table)              \
  extern const Table table##_v2, table##_v3, table##_v4;    \
  inline const Table& table() {                             \
    switch (::rafter::core::isa_level()) {                  \
      case ::rafter::core::IsaLevel::v4: return table##_v4; \
      case ::rafter::core::IsaLevel::v3: return table##_v3; \
      default: return table##_v2;                           \
    }                                                       \
  }
#else
#define RAFTER_DECLARE_ISA_TABLE(Table, table) \
  extern const Table table##_base;             \
  inline const Table& table() { return table##_base; }
#endif

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

enum class IsaLevel { base, v2, v3, v4 };

/// The best level this machine runs; RAFTER_ISA=v2|v3|v4 in the environment asks for a lower one.
IsaLevel isa_level() noexcept;
std::string_view name(IsaLevel level) noexcept;

}  // namespace rafter::core

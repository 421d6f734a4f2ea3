// Names whose meaning is known without reading a project: CUDA's built-in variables, words that prevent a kernel from
// becoming a loop, and functions that only compute.
#pragma once

#include <algorithm>
#include <array>

#include "executor/build/rewrite/lexer.hpp"

namespace rafter::simt::build {

inline constexpr auto built_ins = std::to_array<std::string_view>({"threadIdx", "blockIdx", "blockDim", "gridDim"});

/// Words that make the code unanalysable: the thread may wait, its identity may matter, or it may leave other than by
/// returning.
inline constexpr auto forbidden = std::to_array<std::string_view>({"volatile",
                                                                   "asm",
                                                                   "__asm__",
                                                                   "__asm",
                                                                   "__shared__",
                                                                   "extern",
                                                                   "thread_local",
                                                                   "new",
                                                                   "delete",
                                                                   "throw",
                                                                   "try",
                                                                   "catch",
                                                                   "namespace",
                                                                   "assert",
                                                                   "struct",
                                                                   "class",
                                                                   "union",
                                                                   "__func__",
                                                                   "__FUNCTION__",
                                                                   "__PRETTY_FUNCTION__",
                                                                   "__cluster_dims__",
                                                                   "co_await"});

inline constexpr auto not_functions =
    std::to_array<std::string_view>({"if",        "for",      "while",       "switch",     "return",
                                     "else",      "do",       "case",        "sizeof",     "alignof",
                                     "decltype",  "noexcept", "static_cast", "const_cast", "reinterpret_cast",
                                     "constexpr", "int",      "unsigned",    "float",      "double",
                                     "char",      "bool",     "long",        "short",      "size_t",
                                     "uint",      "signed",   "void",        "auto"});

inline constexpr auto numbers =
    std::to_array<std::string_view>({"int", "unsigned", "float", "double", "long", "size_t"});

/// Words that cannot begin a declaration, so that a name after them is called, not declared.
inline constexpr auto before_call =
    std::to_array<std::string_view>({"return", "else", "do", "case", "goto", "and", "or"});

/// Functions of the executor's headers and the C library that only compute. The float version has an f at the end.
inline constexpr auto known_functions = std::to_array<std::string_view>(
    {"abs",     "fabs",    "sqrt",    "rsqrt",     "cbrt",       "rcbrt",     "exp",      "exp2",      "exp10",
     "expm1",   "log",     "log2",    "log10",     "log1p",      "pow",       "sin",      "cos",       "tan",
     "asin",    "acos",    "atan",    "atan2",     "sinh",       "cosh",      "tanh",     "erf",       "erfc",
     "floor",   "ceil",    "round",   "trunc",     "rint",       "nearbyint", "fmod",     "remainder", "fma",
     "fmin",    "fmax",    "fdim",    "hypot",     "rhypot",     "copysign",  "isnan",    "isinf",     "isfinite",
     "signbit", "lround",  "llround", "lrint",     "llrint",     "tgamma",    "lgamma",   "normcdf",   "sinpi",
     "cospi",   "sincos",  "fdivide", "ldexp",     "min",        "max",       "swap",     "umin",      "umax",
     "printf",  "__ldg",   "__ldca",  "__ldcg",    "__ldcs",     "__mul24",   "__umul24", "__mulhi",   "__umulhi",
     "__clz",   "__clzll", "__popc",  "__popcll",  "__ffs",      "__brev",    "__exp",    "__log",     "__log2",
     "__pow",   "__sin",   "__cos",   "__fdivide", "__saturate", "infinity",  "lowest"});
inline constexpr auto known_beginnings = std::to_array<std::string_view>(
    {"make_", "__float2", "__int2", "__uint2", "__double2", "__float_", "__int_as", "__uint_as", "__double_as"});

inline bool is_known(std::string_view name) {
  if (is_among(known_functions, name)) return true;
  if (name.ends_with('f') && is_among(known_functions, name.substr(0, name.size() - 1))) return true;
  return std::any_of(known_beginnings.begin(), known_beginnings.end(),
                     [&](std::string_view begin) { return name.starts_with(begin); });
}

}  // namespace rafter::simt::build

// bfloat16, its pair and CUDA's functions on them, in software.
#pragma once

#include <math.h>

#include "rafter_simt/numbers/fp16.hpp"
#include "rafter_simt/numbers/vector_types.hpp"

#define RAFTER_SIMT_HALF __nv_bfloat16
#define RAFTER_SIMT_HALF2 __nv_bfloat162
#define RAFTER_SIMT_RAW __nv_bfloat16_raw
#define RAFTER_SIMT_RAW2 __nv_bfloat162_raw
#define RAFTER_SIMT_OTHER __half
#define RAFTER_SIMT_FORMAT Bfloat16
#define RAFTER_SIMT_NAME(BEFORE, AFTER) BEFORE##bfloat16##AFTER
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define RAFTER_SIMT_CONVERSIONS 0
#else
#define RAFTER_SIMT_CONVERSIONS 1
#endif
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define RAFTER_SIMT_OPERATORS 0
#else
#define RAFTER_SIMT_OPERATORS 1
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define RAFTER_SIMT_PAIR_OPERATORS 0
#else
#define RAFTER_SIMT_PAIR_OPERATORS 1
#endif

// The order matters.
// clang-format off
#include "rafter_simt/numbers/half_types.inc"
#include "rafter_simt/numbers/half_conversions.inc"
#include "rafter_simt/numbers/half_functions.inc"
#include "rafter_simt/numbers/half_operators.inc"
// clang-format on

#undef RAFTER_SIMT_PAIR_OPERATORS
#undef RAFTER_SIMT_OPERATORS
#undef RAFTER_SIMT_CONVERSIONS
#undef RAFTER_SIMT_NAME
#undef RAFTER_SIMT_FORMAT
#undef RAFTER_SIMT_OTHER
#undef RAFTER_SIMT_RAW2
#undef RAFTER_SIMT_RAW
#undef RAFTER_SIMT_HALF2
#undef RAFTER_SIMT_HALF

inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }

#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
inline __nv_bfloat16::__nv_bfloat16(__half value)
    : __nv_bfloat16(rafter_simt::nearest<__nv_bfloat16>(rafter_simt::value_of(value))) {}
#endif
#ifndef __CUDA_NO_HALF_CONVERSIONS__
inline __half::__half(__nv_bfloat16 value) : __half(rafter_simt::nearest<__half>(rafter_simt::value_of(value))) {}
#endif

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

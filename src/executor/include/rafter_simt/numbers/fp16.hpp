// half, half2 and CUDA's functions on them, in software.
#pragma once

#include <math.h>

#include "rafter_simt/numbers/small_float.hpp"
#include "rafter_simt/numbers/vector_types.hpp"

struct __nv_bfloat16;

#define RAFTER_SIMT_HALF __half
#define RAFTER_SIMT_HALF2 __half2
#define RAFTER_SIMT_RAW __half_raw
#define RAFTER_SIMT_RAW2 __half2_raw
#define RAFTER_SIMT_OTHER __nv_bfloat16
#define RAFTER_SIMT_FORMAT Half
#define RAFTER_SIMT_NAME(BEFORE, AFTER) BEFORE##half##AFTER
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define RAFTER_SIMT_CONVERSIONS 0
#else
#define RAFTER_SIMT_CONVERSIONS 1
#endif
#ifdef __CUDA_NO_HALF_OPERATORS__
#define RAFTER_SIMT_OPERATORS 0
#else
#define RAFTER_SIMT_OPERATORS 1
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
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

inline __half2 __half2half2(__half a) { return {a, a}; }

using __nv_half = __half;
using __nv_half2 = __half2;
using __nv_half_raw = __half_raw;
using __nv_half2_raw = __half2_raw;
#ifndef CUDA_NO_HALF
using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;
#endif

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

// Tensor maps: the descriptions of arrays in global memory that TMA copies use. The host creates them; kernels take
// them as `const __grid_constant__` parameters.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

#include "library/ptx/target.cuh"
#include "rafter/error.hpp"
#ifndef RAFTER_SIMT
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// The permutation of a tile's 16-byte chunks in shared memory, which places the chunks of a column in different banks:
/// in rows of 32, 64 or 128 bytes, chunk c of row r is stored at position c ^ r (modulo the 2, 4 or 8 chunks of a row).
/// Rows count from addresses that are multiples of 256, 512 or 1024. The tile's innermost extent is that many bytes.
enum class Swizzle : int { none = 0, bytes_32 = 32, bytes_64 = 64, bytes_128 = 128 };

/// The bytes that the L2 fetches around the requested data.
enum class L2Promotion : int { none = 0, bytes_64 = 64, bytes_128 = 128, bytes_256 = 256 };

/// Returns where a copy with that swizzle stores byte `offset` of a tile that begins at a multiple of 1024.
__host__ __device__ constexpr int swizzled(Swizzle swizzle, int offset) {
  return offset ^ (offset >> 7 & (static_cast<int>(swizzle) / 16 - 1) * (swizzle == Swizzle::none ? 0 : 1)) << 4;
}

/// An array of T and the tiles copied from or to it. Axes are ordered from the innermost: x first.
template <class T, int Rank>
struct TensorMap {
  static_assert(Rank >= 1 && Rank <= 5);
#ifdef RAFTER_SIMT
  rafter_simt::TensorMap map;
#else
  CUtensorMap map;
#endif
};

template <int Rank>
struct TensorLayout {
  std::array<std::int64_t, Rank> extent;    // elements
  std::array<int, Rank> tile;               // elements; at most 256 each
  std::array<std::int64_t, Rank> stride{};  // bytes between consecutive elements along an axis; zeros: contiguous
  Swizzle swizzle = Swizzle::none;
  L2Promotion promotion = L2Promotion::bytes_256;
};

/// Returns whether an array and its rows of `row` elements are aligned for TMA copies.
template <class T>
bool is_tma_aligned(const T* data, std::int64_t row) {
  return reinterpret_cast<std::uintptr_t>(data) % 16 == 0 && row * std::int64_t{sizeof(T)} % 16 == 0;
}

/// Returns why no map can be created, or an empty string. Array, strides and tile rows must be multiples of 16 bytes.
template <class T, int Rank>
std::string why_no_tensor_map(const T* data, const TensorLayout<Rank>& layout) {
  const auto row_bytes = static_cast<std::int64_t>(layout.tile[0]) * std::int64_t{sizeof(T)};
  if (reinterpret_cast<std::uintptr_t>(data) % 16 != 0) return "the array does not begin at a multiple of 16 bytes";
  if (row_bytes % 16 != 0) return "the rows of a tile are not a multiple of 16 bytes";
  if (layout.swizzle != Swizzle::none && row_bytes != static_cast<std::int64_t>(layout.swizzle))
    return "the rows of a swizzled tile are not as long as its swizzle";
  for (int axis = 0; axis < Rank; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    if (layout.extent[a] < 1 || layout.extent[a] > std::int64_t{1} << 32) return "an extent is not 1 to 2^32";
    if (layout.tile[a] < 1 || layout.tile[a] > 256) return "a tile's extent is not 1 to 256";
    if (axis > 0 && (layout.stride[a] % 16 != 0 || layout.stride[a] >= std::int64_t{1} << 40))
      return "a stride is not a multiple of 16 bytes below 2^40";
  }
  return "";
}

#ifndef RAFTER_SIMT

using EncodeTiled = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                 const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                                 CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

/// Returns the driver's function, looked up on first use.
inline EncodeTiled encode_tiled() {
  static const EncodeTiled function = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult status{};
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &status);
    if (error != cudaSuccess || found == nullptr)
      throw Error(ErrorCode::unsupported, "this driver has no cuTensorMapEncodeTiled");
    return reinterpret_cast<EncodeTiled>(found);
  }();
  return function;
}

template <class T>
constexpr CUtensorMapDataType tensor_map_type() {
  if constexpr (std::is_same_v<T, double>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
  if constexpr (std::is_same_v<T, float>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  if constexpr (std::is_same_v<T, __half>) return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  if constexpr (std::is_same_v<T, __nv_bfloat16>) return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) == 4) return CU_TENSOR_MAP_DATA_TYPE_INT32;
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) == 8) return CU_TENSOR_MAP_DATA_TYPE_INT64;
  if constexpr (sizeof(T) == 1) return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  if constexpr (sizeof(T) == 2) return CU_TENSOR_MAP_DATA_TYPE_UINT16;
  if constexpr (sizeof(T) == 4) return CU_TENSOR_MAP_DATA_TYPE_UINT32;
  return CU_TENSOR_MAP_DATA_TYPE_UINT64;
}

template <class T, int Rank>
CUresult encode(TensorMap<T, Rank>& to, const T* data, const TensorLayout<Rank>& layout) {
  cuuint64_t extents[Rank], strides[Rank];
  cuuint32_t tile[Rank], steps[Rank];
  for (std::size_t a = 0; a < Rank; ++a) {
    extents[a] = static_cast<cuuint64_t>(layout.extent[a]);
    tile[a] = static_cast<cuuint32_t>(layout.tile[a]);
    steps[a] = 1;
    if (a > 0) strides[a - 1] = static_cast<cuuint64_t>(layout.stride[a]);
  }
  const auto swizzle = layout.swizzle == Swizzle::none       ? CU_TENSOR_MAP_SWIZZLE_NONE
                       : layout.swizzle == Swizzle::bytes_32 ? CU_TENSOR_MAP_SWIZZLE_32B
                       : layout.swizzle == Swizzle::bytes_64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                                             : CU_TENSOR_MAP_SWIZZLE_128B;
  const auto promotion = layout.promotion == L2Promotion::none        ? CU_TENSOR_MAP_L2_PROMOTION_NONE
                         : layout.promotion == L2Promotion::bytes_64  ? CU_TENSOR_MAP_L2_PROMOTION_L2_64B
                         : layout.promotion == L2Promotion::bytes_128 ? CU_TENSOR_MAP_L2_PROMOTION_L2_128B
                                                                      : CU_TENSOR_MAP_L2_PROMOTION_L2_256B;
  return encode_tiled()(&to.map, tensor_map_type<T>(), Rank, const_cast<T*>(data), extents, strides, tile, steps,
                        CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, promotion, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

#endif

/// Creates a tensor map. Throws Error (unsupported) if the hardware does not support the layout. Elements outside of
/// the array are read as zeros and never written.
template <class T, int Rank>
TensorMap<T, Rank> make_tensor_map(const T* data, TensorLayout<Rank> layout) {
  static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) & (sizeof(T) - 1)) == 0 && sizeof(T) <= 8);
  layout.stride[0] = sizeof(T);
  for (std::size_t a = 1; a < Rank; ++a) {
    if (layout.stride[a] == 0) layout.stride[a] = layout.stride[a - 1] * layout.extent[a - 1];
  }
  if (const std::string why = why_no_tensor_map(data, layout); !why.empty())
    throw Error(ErrorCode::unsupported, "no tensor map for TMA copies: " + why);
  TensorMap<T, Rank> result{};
#ifdef RAFTER_SIMT
  result.map = {data, Rank, static_cast<int>(sizeof(T)), static_cast<int>(layout.swizzle), {}, {}, {}};
  for (std::size_t a = 0; a < Rank; ++a) {
    result.map.extent[a] = layout.extent[a];
    result.map.stride[a] = layout.stride[a];
    result.map.tile[a] = layout.tile[a];
  }
#else
  const CUresult status = encode(result, data, layout);
  if (status != CUDA_SUCCESS)
    throw Error(ErrorCode::device_failure, "cuTensorMapEncodeTiled failed with error " + std::to_string(status));
#endif
  return result;
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx

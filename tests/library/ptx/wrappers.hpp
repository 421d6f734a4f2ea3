// What the tests call: kernels that use the wrappers of src/library/ptx, built for the executor and, where there is
// CUDA, for a GPU.
#pragma once

#include <array>
#include <cstdint>

#include "rafter/half.hpp"
#include "rafter/stream.hpp"

namespace rafter::test {

/// A tile of an array of `element_bytes`, axes from the innermost.
struct TileCase {
  int rank;
  int element_bytes;
  std::array<std::int64_t, 5> extent;
  std::array<int, 5> tile;
  std::array<int, 5> from, to;  // where it is loaded, and where it is stored
  int swizzle;
};

struct CopyWrappers {
  /// out[t] = what thread t of 64 copies, `bytes` (4, 8 or 16) of which `valid` are read.
  void (*thread_copies)(const Stream&, int bytes, int valid, const unsigned char* in, unsigned char* out);
  /// Loads a tile of `in`, leaves it as it lies in shared memory in `raw`, and stores it to `out`.
  void (*tma_tile)(const Stream&, const TileCase&, const void* in, unsigned char* raw, void* out);
  /// out = in, so many bytes (at most 8192, a multiple of 16).
  void (*bulk_copy)(const Stream&, int bytes, const void* in, void* out);
  /// out[i] = sum of in[i], in[n + i], ...: tiles of n = 256 go round a ring by mbarriers.
  void (*mbarrier_ring)(const Stream&, int n_tiles, const float* in, float* out);
  /// out[i] = in[i] + in[n - 1 - i], n = 256, by threads whose copies arrive at an mbarrier, as extra arrivals or not.
  void (*copies_that_arrive)(const Stream&, bool extra, const float* in, float* out);
};

/// Clusters of 4 blocks along x; `in` is [n_tiles][256], out [4][256].
struct ClusterWrappers {
  /// out[block] = 10 block + in[0] + in[1] + ...: each block brings every fourth tile to all of them, by TMA or in
  /// bulk.
  void (*multicast)(const Stream&, bool bulk, int n_tiles, const float* in, float* out);
  /// out[block][t] = 1000 rank + t of the block before it, stored there by that block (st.async).
  void (*stores)(const Stream&, float* out);
};

enum class Product { half, bfloat16, tf32, half_sums, e4m3, e5m2 };

struct MatrixWrappers {
  /// d[16][8] = c[16][8] + a[16][k] * b[k][8], k = 16 (tf32: 8): a by rows, b by columns, in the type's bits.
  void (*mma)(const Stream&, Product, const void* a, const void* b, const float* c, float* d);
  /// out[8 n][8] = the matrices of in[8 n][8], each transposed or not, n = 1, 2 or 4.
  void (*move_matrices)(const Stream&, int n, bool transposed, const std::uint16_t* in, std::uint16_t* out);
};

/// Type, columns, and what is not k major or in shared memory.
enum class WgmmaShape {
  half_8,
  half_64,
  half_128_mn,
  bfloat16_64_mn,
  bfloat16_256,
  tf32_40,
  half_64_registers,
  tf32_32_registers,
  e4m3_64,
  e5m2_128,
  e4m3_16_registers
};
struct WgmmaCase {
  WgmmaShape shape;
  int columns;
  Product type;
  int swizzle;
  int n_k;
};

struct WgmmaWrappers {
  /// d[64][columns] = c + a[64][n_k] * b[columns][n_k], each element of a and b as the bits of its type in a word.
  void (*wgmma)(const Stream&, const WgmmaCase&, const unsigned* a, const unsigned* b, const float* c, float* d);
};

struct OrderWrappers {
  /// out[i] = 3 in[i], by blocks that each wait for the one before; flags are zero before.
  void (*chain)(const Stream&, int n_blocks, const float* in, float* work, int* flags, float* out);
  /// out = in, 4, 8 and 16 bytes at a time by turns, streaming or with a policy, of 11 * 256 words.
  void (*hints)(const Stream&, const unsigned* in, unsigned* out);
  /// out[block] = 100 times the rank of the block after it in its cluster of 4, and its own rank; 8 blocks.
  void (*clusters)(const Stream&, int* out);
  /// out[warp] = how many lanes were elected.
  void (*elect)(const Stream&, int n_warps, int* out);
  /// The capability of the policy that is chosen for one, of those for 8.0, 9.0 and 10.0.
  int (*policy)(int capability);
};

template <class T>
struct ConvertWrappers {
  void (*widen)(const Stream&, const T* in, int n, float* out);
  /// pairs[i] holds elements 2 i and 2 i + 1.
  void (*round)(const Stream&, const float* in, int n, T* singles, unsigned* pairs);
};

#define RAFTER_PTX_WRAPPERS(where)               \
  namespace where {                              \
  CopyWrappers copy_wrappers();                  \
  MatrixWrappers matrix_wrappers();              \
  WgmmaWrappers wgmma_wrappers();                \
  ClusterWrappers cluster_wrappers();            \
  OrderWrappers order_wrappers();                \
  ConvertWrappers<Half> half_wrappers();         \
  ConvertWrappers<Bfloat16> bfloat16_wrappers(); \
  }
RAFTER_PTX_WRAPPERS(simt)
RAFTER_PTX_WRAPPERS(cuda)

}  // namespace rafter::test

// Kernels that use the wrappers of src/library/ptx, built for the executor and, with CUDA, for a GPU.
#pragma once

#include <array>
#include <cstdint>

#include "rafter/half.hpp"
#include "rafter/stream.hpp"

namespace rafter::test {

/// A tile of an array with elements of `element_bytes`; axes from the innermost.
struct TileCase {
  int rank;
  int element_bytes;
  std::array<std::int64_t, 5> extent;
  std::array<int, 5> tile;
  std::array<int, 5> from, to;  // corners of the loaded and of the stored tile
  int swizzle;
};

struct CopyWrappers {
  /// Copies with 64 threads: out[t] is the copy of thread t, of `bytes` (4, 8 or 16), of which `valid` are read.
  void (*thread_copies)(const Stream&, int bytes, int valid, const unsigned char* in, unsigned char* out);
  /// Loads a tile of `in`, copies its shared-memory layout to `raw`, and stores it to `out`.
  void (*tma_tile)(const Stream&, const TileCase&, const void* in, unsigned char* raw, void* out);
  /// Copies `bytes` (at most 8192, a multiple of 16) from `in` to `out`.
  void (*bulk_copy)(const Stream&, int bytes, const void* in, void* out);
  /// Computes out[i] = in[i] + in[n + i] + ...: tiles of n = 256 pass through a ring with mbarriers.
  void (*mbarrier_ring)(const Stream&, int n_tiles, const float* in, float* out);
  /// Computes out[i] = in[i] + in[n - 1 - i], n = 256, with copies that arrive at an mbarrier, as extra arrivals or
  /// not.
  void (*copies_that_arrive)(const Stream&, bool extra, const float* in, float* out);
};

/// Kernels with clusters of 4 blocks along x; `in` is [n_tiles][256], out [4][256].
struct ClusterWrappers {
  /// Computes out[block] = 10 block + in[0] + in[1] + ...: each block multicasts every fourth tile to all of them, by
  /// TMA or in bulk.
  void (*multicast)(const Stream&, bool bulk, int n_tiles, const float* in, float* out);
  /// Computes out[block][t] = 1000 rank + t of the previous block, stored by that block (st.async).
  void (*stores)(const Stream&, float* out);
};

enum class Product { half, bfloat16, tf32, half_sums, e4m3, e5m2 };

struct MatrixWrappers {
  /// Computes d[16][8] = c[16][8] + a[16][k] * b[k][8], k = 16 (tf32: 8): a by rows, b by columns, as the type's bits.
  void (*mma)(const Stream&, Product, const void* a, const void* b, const float* c, float* d);
  /// Copies n (1, 2 or 4) matrices of in[8 n][8] to out[8 n][8], each transposed or not.
  void (*move_matrices)(const Stream&, int n, bool transposed, const std::uint16_t* in, std::uint16_t* out);
};

/// The type and columns of a product, and whether an operand is not k major or not in shared memory.
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
  /// Computes d[64][columns] = c + a[64][n_k] * b[columns][n_k]; each element of a and b is the bits of its type in a
  /// word.
  void (*wgmma)(const Stream&, const WgmmaCase&, const unsigned* a, const unsigned* b, const float* c, float* d);
};

struct OrderWrappers {
  /// Computes out[i] = 3 in[i] with blocks that each wait for the previous one; flags are zero before.
  void (*chain)(const Stream&, int n_blocks, const float* in, float* work, int* flags, float* out);
  /// Copies 11 * 256 words from `in` to `out`, 4, 8 and 16 bytes at a time, alternately streaming and with a policy.
  void (*hints)(const Stream&, const unsigned* in, unsigned* out);
  /// Computes out[block] = 100 times the rank of the next block in the cluster of 4, plus its own rank; 8 blocks.
  void (*clusters)(const Stream&, int* out);
  /// Writes the number of elected lanes of each warp to out[warp].
  void (*elect)(const Stream&, int n_warps, int* out);
  /// Returns the capability of the policy selected for a GPU, among policies for 8.0, 9.0 and 10.0.
  int (*policy)(int capability);
};

template <class T>
struct ConvertWrappers {
  void (*widen)(const Stream&, const T* in, int n, float* out);
  /// Rounds to single elements and to pairs; pairs[i] holds elements 2 i and 2 i + 1.
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

// Small kernels with everything that goes on by itself, right ones and ones with a fault: what the checkers must find.
#pragma once

#include "rafter/stream.hpp"

namespace rafter::planted {

enum class Fault {
  none,
  // A pipeline of TMA loads: one thread brings tiles into a ring, a warp takes them.
  missing_arrival,
  too_many_arrivals,
  too_few_bytes,
  too_many_bytes,
  read_before_wait,
  wrong_parity,
  early_refill,
  missing_init,
  missing_init_barrier,
  missing_shared_fence,
  never_waited,
  source_written,
  // TMA stores from a buffer that is used again.
  store_without_fence,
  store_overwritten,
  store_never_waited,
  // A thread's own copies.
  copy_without_wait,
  copy_without_barrier,
  copy_overwritten,
  // Copies that arrive at an mbarrier.
  arrival_before_copy,
  arrival_too_many,
  // Blocks that hand over an array, which is then loaded by TMA.
  handed_without_release,
  handed_without_fence,
  // Tiles that one block of a cluster brings to both.
  multicast_not_expected,
  multicast_early_refill,
  multicast_without_begin,
  multicast_without_end,
  // Numbers that a block of a cluster stores to the other.
  store_async_too_few,
  store_async_read_early,
  // Matrices of a warp.
  matrix_without_sync,
  // Products of a warpgroup.
  product_without_fence,
  product_without_proxy_fence,
  product_read_before_wait,
  product_overwritten,
  product_of_half_a_warpgroup,
};

constexpr int n_tiles = 5, tile_elements = 128;

/// out = 2 in, [n_tiles * tile_elements].
void tma_pipeline(const Stream& stream, Fault fault, float* in, float* out);
void tma_stores(const Stream& stream, Fault fault, const float* in, float* out);
void thread_copies(const Stream& stream, Fault fault, const float* in, float* out);
void arriving_copies(const Stream& stream, Fault fault, const float* in, float* out);
/// By a cluster of two blocks.
void cluster_pipeline(const Stream& stream, Fault fault, const float* in, float* out);
void cluster_stores(const Stream& stream, Fault fault, const float* in, float* out);
/// The same by way of `work`, [n_tiles * tile_elements]; flag is zero before.
void handed_over(const Stream& stream, Fault fault, const float* in, float* work, int* flag, float* out);
/// out[512] = 16: ones times ones.
void warpgroup_product(const Stream& stream, Fault fault, float* out);
/// out[lane] = what ldmatrix gives of in, [64].
void loaded_matrix(const Stream& stream, Fault fault, const unsigned short* in, unsigned* out);

}  // namespace rafter::planted

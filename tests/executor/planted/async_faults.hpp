// Small kernels with asynchronous operations, each correct or with one fault that the checkers must report.
#pragma once

#include "rafter/stream.hpp"

namespace rafter::planted {

enum class Fault {
  none,
  // A pipeline of TMA loads: one thread loads tiles into a ring, a warp consumes them.
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
  // TMA stores from a buffer that is reused.
  store_without_fence,
  store_overwritten,
  store_never_waited,
  // Asynchronous copies of a thread.
  copy_without_wait,
  copy_without_barrier,
  copy_overwritten,
  // Copies that arrive at an mbarrier.
  arrival_before_copy,
  arrival_too_many,
  // An array that one block publishes and another loads by TMA.
  published_without_release,
  published_without_fence,
  // Tiles that one block of a cluster loads into both.
  multicast_not_expected,
  multicast_early_refill,
  multicast_without_begin,
  multicast_without_end,
  // Values that one block of a cluster stores into the other.
  store_async_too_few,
  store_async_read_early,
  // Matrix fragments of a warp.
  matrix_without_sync,
  // Products of a warpgroup.
  product_without_fence,
  product_without_proxy_fence,
  product_read_before_wait,
  product_overwritten,
  product_of_half_a_warpgroup,
};

constexpr int n_tiles = 5, tile_elements = 128;

/// Computes out = 2 * in, [n_tiles * tile_elements].
void tma_pipeline(const Stream& stream, Fault fault, float* in, float* out);
void tma_stores(const Stream& stream, Fault fault, const float* in, float* out);
void thread_copies(const Stream& stream, Fault fault, const float* in, float* out);
void arriving_copies(const Stream& stream, Fault fault, const float* in, float* out);
/// Computes out = 2 * in with a cluster of two blocks.
void cluster_pipeline(const Stream& stream, Fault fault, const float* in, float* out);
void cluster_stores(const Stream& stream, Fault fault, const float* in, float* out);
/// Computes out = 2 * in through `work`, [n_tiles * tile_elements]. `flag` must be zero.
void published_array(const Stream& stream, Fault fault, const float* in, float* work, int* flag, float* out);
/// Computes a product of matrices of ones: all 512 elements of `out` are 16.
void warpgroup_product(const Stream& stream, Fault fault, float* out);
/// Writes the ldmatrix fragment of `in`, [64], to out[lane].
void loaded_matrix(const Stream& stream, Fault fault, const unsigned short* in, unsigned* out);

}  // namespace rafter::planted

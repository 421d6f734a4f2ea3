// one_block: one block of 1024 threads walks the whole array.
// Ceiling: one multiprocessor; all the others idle.
#include "core/launch.cuh"
#include "fill/fill_rung.hpp"

namespace rafter::fill_ladder::RAFTER_BACKEND {

template <class T>
__global__ void fill_one_block(T* out, std::int64_t n, T value) {
  for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) out[i] = value;
}

template <class T>
void one_block(const Stream& stream, std::span<T> out, T value) {
  core::launch(fill_one_block<T>, 1, 1024, 0, stream, out.data(), std::ssize(out), value);
}

RAFTER_FILL_RUNG(one_block);

}  // namespace rafter::fill_ladder::RAFTER_BACKEND

// thrust_transform: thrust::transform over the three arrays zipped, on the stream and without waiting.
#include <thrust/execution_policy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/zip_function.h>

#include "core/launch.cuh"
#include "mul_add/mul_add_rung.hpp"
#include "mul_add/multiply_add.cuh"

namespace rafter::mul_add_ladder::cuda {

namespace {

template <class T>
struct MultiplyAdd {
  __device__ T operator()(T a, T b, T c) const { return multiply_add(a, b, c); }
};

}  // namespace

template <class T>
void thrust_transform(const Stream& stream, Factors<T> in, std::span<T> out) {
  const auto n = std::ssize(out);
  const auto first = thrust::make_zip_iterator(in.a, in.b, in.c);
  thrust::transform(thrust::cuda::par_nosync.on(stream.handle()), first, first + n, out.data(),
                    thrust::make_zip_function(MultiplyAdd<T>{}));
}

RAFTER_MUL_ADD_RUNG(thrust_transform);

}  // namespace rafter::mul_add_ladder::cuda

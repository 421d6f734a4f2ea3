// thrust_transform: thrust::transform over the three zipped arrays, on the stream, without synchronisation.
#include <thrust/execution_policy.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/zip_function.h>

#include "library/core/cuda/launch.cuh"
#include "mul_add/cuda/mul_add_element.cuh"
#include "mul_add/mul_add_rung.hpp"

namespace rafter::mul_add_ladder::cuda {

namespace {

template <class T>
struct MultiplyAdd {
  __device__ T operator()(T a, T b, T c) const { return multiply_add_elements(a, b, c); }
};

}  // namespace

extern const MulAddRung thrust_transform{[]<class T>(const Stream& stream, MulAddArgs<T> args) {
  const auto n = std::ssize(args.out);
  const auto first = thrust::make_zip_iterator(args.in.a, args.in.b, args.in.c);
  thrust::transform(thrust::cuda::par_nosync.on(stream.handle()), first, first + n, args.out.data(),
                    thrust::make_zip_function(MultiplyAdd<T>{}));
}};

}  // namespace rafter::mul_add_ladder::cuda

// Names of CUB before version 3: operators, iterators, the caching allocator, lane functions.
#include <cub/cub.cuh>

#include "expect.hpp"

#ifdef __CUDACC_VER_MAJOR__
// CUB 3, which comes with the compiler, has removed them.
int main() { return 0; }
#else

struct Square {
  __host__ __device__ int operator()(int a) const { return a * a; }
};

__global__ void lanes(int* out) {
  using BlockReduce = cub::BlockReduce<int, 64>;
  __shared__ BlockReduce::TempStorage storage;
  const int largest = BlockReduce(storage).Reduce(static_cast<int>(threadIdx.x), cub::Max());
  bool right = cub::LaneId() == threadIdx.x % 32 && cub::WarpId() == threadIdx.x / 32;
  right &= cub::ShuffleIndex<32>(static_cast<int>(threadIdx.x), 5, 0xffffffffu) ==
           static_cast<int>(threadIdx.x / 32 * 32 + 5);
  right &= cub::ShuffleUp<32>(static_cast<int>(cub::LaneId()), 1, 0, 0xffffffffu) ==
           (cub::LaneId() == 0 ? 0 : static_cast<int>(cub::LaneId()) - 1);
  right &= cub::ThreadLoad<cub::LOAD_LDG>(out + threadIdx.x) == 0;
  cub::ThreadStore<cub::STORE_CG>(out + threadIdx.x, right ? 1 : 0);
  if (threadIdx.x == 0) out[64] = largest;
}

int main() {
  DeviceArray<int> out(65);
  // clang-format off
  lanes<<<1, 64>>>(out.get());
  // clang-format on
  std::vector<int> expected(65, 1);
  expected[64] = 63;
  expect_equal(out.values(), expected, "lane functions");

  cub::CachingDeviceAllocator allocator(true);
  int* result = nullptr;
  void* storage = nullptr;
  std::size_t bytes = 0;
  CubDebugExit(allocator.DeviceAllocate((void**)&result, sizeof(int)));
  const cub::TransformInputIterator<int, Square, cub::CountingInputIterator<int> > squares(
      cub::CountingInputIterator<int>(1), Square());
  CubDebugExit(cub::DeviceReduce::Sum(storage, bytes, squares, result, 100));
  CubDebugExit(allocator.DeviceAllocate(&storage, bytes));
  CubDebugExit(cub::DeviceReduce::Sum(storage, bytes, squares, result, 100));
  int sum = 0;
  cudaMemcpy(&sum, result, sizeof(int), cudaMemcpyDeviceToHost);
  expect(sum == 338350, "a sum over iterators");
  CubDebugExit(allocator.DeviceFree(result));
  CubDebugExit(allocator.DeviceFree(storage));

  const std::vector<int> values{3, 9, -2, 9, 4};
  DeviceArray<int> device(values);
  DeviceArray<cub::KeyValuePair<int, int> > best(2);
  with_storage([&](void* t, size_t& b) { return cub::DeviceReduce::ArgMax(t, b, device.get(), best.get(), 5); });
  with_storage([&](void* t, size_t& b) { return cub::DeviceReduce::ArgMin(t, b, device.get(), best.get() + 1, 5); });
  const auto found = best.values();
  expect(found[0].key == 1 && found[0].value == 9 && found[1].key == 2 && found[1].value == -2, "ArgMax and ArgMin");
  const cub::ArgIndexInputIterator<int*> indexed(device.get());
  DeviceArray<cub::KeyValuePair<std::ptrdiff_t, int> > last(1);
  with_storage([&](void* t, size_t& b) {
    return cub::DeviceReduce::Reduce(t, b, indexed, last.get(), 5, cub::ArgMin(),
                                     cub::KeyValuePair<std::ptrdiff_t, int>(9, 1000));
  });
  int version = 0;
  CubDebugExit(cub::PtxVersion(version));
  const bool same = cub::Equals<cub::If<true, int, float>::Type, int>::VALUE && !cub::IsPointer<int>::VALUE &&
                    cub::Equals<cub::Traits<float>::UnsignedBits, unsigned int>::VALUE;
  expect(same && version > 0 && cub::FpLimits<float>::Max() > 1e38f && UINT_MAX > 0, "types, versions, limits");
  expect(last.values()[0].key == 2 && cub::Log2<33>::VALUE == 6 && cub::Min()(2, 1) == 1, "the rest");
  return report();
}
#endif

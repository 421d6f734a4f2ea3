// expect: race kernel=one_result line=13 other=13 space=global
// expect: out_of_bounds kernel=results line=14 space=global
// expect: out_of_bounds kernel=arguments line=15 space=global
// expect: uninitialised kernel=unwritten line=16 space=global
// Functions that return and take structures by value: calls that are not inlined read and write memory.
struct Point {
  float x, y, z;
};

__device__ __noinline__ Point point(int i) { return {1.0f * i, 2.0f * i, 3.0f * i}; }
__device__ __noinline__ float sum(Point p) { return p.x + p.y + p.z; }

__global__ void one_result(Point* out) { out[0] = point(threadIdx.x); }
__global__ void results(Point* out) { out[threadIdx.x] = point(threadIdx.x); }
__global__ void arguments(const Point* in, float* out) { out[threadIdx.x] = sum(in[threadIdx.x]); }
__global__ void unwritten(const Point* in, float* out) { out[threadIdx.x] = sum(in[threadIdx.x]); }

int main() {
  Point *points, *fresh;
  float* sums;
  cudaMalloc(&points, 63 * sizeof(Point));
  cudaMalloc(&fresh, 64 * sizeof(Point));
  cudaMalloc(&sums, 64 * sizeof(float));
  results<<<1, 64>>>(points);
  arguments<<<1, 64>>>(points, sums);
  unwritten<<<1, 64>>>(fresh, sums);
  one_result<<<1, 64>>>(points);
  cudaDeviceSynchronize();
}

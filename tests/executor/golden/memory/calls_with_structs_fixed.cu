// expect: clean
// Functions that return and take structures by value: calls that are not inlined read and write memory.
struct Point {
  float x, y, z;
};

__device__ __noinline__ Point point(int i) { return {1.0f * i, 2.0f * i, 3.0f * i}; }
__device__ __noinline__ float sum(Point p) { return p.x + p.y + p.z; }

__global__ void results(Point* out) { out[threadIdx.x] = point(threadIdx.x); }
__global__ void arguments(const Point* in, float* out) { out[threadIdx.x] = sum(in[threadIdx.x]); }
__global__ void members(const Point* in, float* out) { out[threadIdx.x] = in[threadIdx.x].y; }

int main() {
  Point* points;
  float* sums;
  cudaMalloc(&points, 64 * sizeof(Point));
  cudaMalloc(&sums, 64 * sizeof(float));
  results<<<1, 64>>>(points);
  arguments<<<1, 64>>>(points, sums);
  members<<<1, 64>>>(points, sums);
  cudaDeviceSynchronize();
}

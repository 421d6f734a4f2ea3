// nvcc: -DLONG_LOOP
// Code that nvcc accepts: a variable that is called like a class of std, member templates of dependent classes without
// the keyword `template`, and a loop whose head depends on the preprocessor, with a barrier in its body.
#include <cstdio>
#include <thread>
using namespace std;

template <class A, class B> struct Cast {
  template <int n> __device__ static void copy(A* a, const B* b) { for (int i = 0; i < n; ++i) a[i] = b[i]; }
};

template <class A, class B, int n> __device__ void copy_all(A* a, const B* b) { Cast<A, B>::copy<n>(a, b); }

__global__ void convert(float* a, const int* b, int n) {
  int thread = threadIdx.x;
  if (thread < n / 4) copy_all<float, int, 4>(a + 4 * thread, b + 4 * thread);
}

__global__ void rotate(int* values, int n) {
  __shared__ int tile[32];
#ifdef LONG_LOOP
  for (int i = 0; i < 2 * n; i++) {
#else
  for (int i = 0; i < n; i++) {
#endif
    tile[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = tile[(threadIdx.x + 1) % 32];
    __syncthreads();
  }
}

int main() {
  float* a; int* b;
  cudaMallocManaged(&a, 32 * sizeof(float));
  cudaMallocManaged(&b, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) b[i] = i;
  rotate<<<1, 32>>>(b, 3);
  convert<<<1, 32>>>(a, b, 32);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  for (int i = 0; i < 32; ++i) if (a[i] != (i + 6) % 32) return printf("a[%d] = %g\n", i, a[i]), 1;
  cudaFree(a); cudaFree(b);
  return 0;
}

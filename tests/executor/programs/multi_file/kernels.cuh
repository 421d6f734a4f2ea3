// Declarations shared by the two CUDA files and the host file of this project.
#ifndef MULTI_FILE_KERNELS_CUH
#define MULTI_FILE_KERNELS_CUH

#include <cuda_runtime.h>

#ifndef PROJECT_SCALE
#define PROJECT_SCALE 1
#endif

struct Image {
  unsigned char* pixels;
  int width;
  int height;
};

__host__ __device__ inline int clamp_byte(int v) { return v < 0 ? 0 : (v > 255 ? 255 : v); }

__global__ void brighten(Image image, int amount);
__global__ void box_blur(Image in, Image out);

template <typename T>
__global__ void fill(T* p, T value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = value;
}

void launch_pipeline(Image in, Image out, int amount, cudaStream_t stream);

#endif

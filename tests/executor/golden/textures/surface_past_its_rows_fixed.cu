// expect: clean
// Threads past the surface do not write.
#include <cuda_runtime.h>

__global__ void fill(cudaSurfaceObject_t image, int width, int height) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  surf2Dwrite(1.0f, image, x * 4, y);
}

cudaSurfaceObject_t surface_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  cudaCreateSurfaceObject(&surface, &resource);
  return surface;
}

int main() {
  const int width = 20, height = 20;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t image = surface_of(array);
  fill<<<dim3(3, 3), dim3(8, 8)>>>(image, width, height);
  cudaDeviceSynchronize();
  cudaDestroySurfaceObject(image);
  cudaFreeArray(array);
}

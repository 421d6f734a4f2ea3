// expect: clean
// Each block writes a separate row of a surface.
#include <cuda_runtime.h>

__global__ void accumulate(cudaSurfaceObject_t image, int row) {
  surf2Dwrite((float)blockIdx.x, image, threadIdx.x * 4, row < 0 ? 0 : blockIdx.x);
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
  const int width = 32, height = 4;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t image = surface_of(array);
  accumulate<<<height, width>>>(image, 0);
  cudaDeviceSynchronize();
  cudaDestroySurfaceObject(image);
  cudaFreeArray(array);
}

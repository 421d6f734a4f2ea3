// expect: clean
// A texture of bytes with cudaReadModeNormalizedFloat is fetched as float.
#include <cuda_runtime.h>

__global__ void scale(cudaTextureObject_t image, float *out, int width) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * width + x] = 2 * tex2D<float>(image, x + 0.5f, y + 0.5f);
}

cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureReadMode mode) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.readMode = mode;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  return texture;
}

int main() {
  const int width = 32, height = 8;
  static unsigned char host[width * height];
  cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t array;
  float *out;
  cudaMallocArray(&array, &format, width, height);
  cudaMalloc(&out, sizeof(float) * width * height);
  cudaMemcpy2DToArray(array, 0, 0, host, width, width, height, cudaMemcpyHostToDevice);
  cudaTextureObject_t image = texture_of(array, cudaReadModeNormalizedFloat);
  scale<<<height, width>>>(image, out, width);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
  cudaFreeArray(array);
  cudaFree(out);
}

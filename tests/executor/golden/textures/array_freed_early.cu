// expect: use_after_free kernel=copy line=7 space=global
// The array is freed before the last launch that uses its texture object.
#include <cuda_runtime.h>

__global__ void copy(cudaTextureObject_t image, float *out, int width) {
  int x = threadIdx.x, y = blockIdx.x;
  out[y * width + x] = tex2D<float>(image, x + 0.5f, y + 0.5f);
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
  static float host[width * height];
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  float *out;
  cudaMallocArray(&array, &format, width, height);
  cudaMalloc(&out, sizeof host);
  cudaMemcpyToArray(array, 0, 0, host, sizeof host, cudaMemcpyHostToDevice);
  cudaTextureObject_t image = texture_of(array, cudaReadModeElementType);
  cudaFreeArray(array);
  copy<<<height, width>>>(image, out, width);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
  cudaFree(out);
}

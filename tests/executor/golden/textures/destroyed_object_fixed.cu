// expect: clean
// The texture object is destroyed after both launches that use it.
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
  cudaMemcpy2DToArray(array, 0, 0, host, width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
  cudaTextureObject_t image = texture_of(array, cudaReadModeElementType);
  copy<<<height, width>>>(image, out, width);
  copy<<<height, width>>>(image, out, width);
  cudaDestroyTextureObject(image);
  cudaDeviceSynchronize();
  cudaFreeArray(array);
  cudaFree(out);
}

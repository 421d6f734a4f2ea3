// expect: clean
// All rows are copied to the array before the blur reads them.
#include <cuda_runtime.h>

__global__ void blur(cudaTextureObject_t image, float *out, int width) {
  int x = threadIdx.x, y = blockIdx.x;
  float sum = 0;
  for (int j = -1; j <= 1; ++j) {
    sum += tex2D<float>(image, x + 0.5f, y + j + 0.5f);
  }
  out[y * width + x] = sum / 3;
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
  const int width = 32, height = 8, n_copied = 8;
  static float host[width * height];
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  float *out;
  cudaMallocArray(&array, &format, width, height);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy2DToArray(array, 0, 0, host, width * 4, width * 4, n_copied, cudaMemcpyHostToDevice);
  cudaTextureObject_t image = texture_of(array, cudaReadModeElementType);
  blur<<<n_copied, width>>>(image, out, width);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
  cudaFreeArray(array);
  cudaFree(out);
}

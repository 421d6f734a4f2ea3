// expect: clean
// A copy to the array and the kernel that fetches from it are in one stream.
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
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaStream_t first, second;
  float *out, *host;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMallocHost(&host, width * height * sizeof(float));
  cudaMallocArray(&array, &format, width, height);
  cudaMalloc(&out, width * height * sizeof(float));
  cudaTextureObject_t image = texture_of(array, cudaReadModeElementType);
  cudaMemcpy2DToArrayAsync(array, 0, 0, host, width * 4, width * 4, height, cudaMemcpyHostToDevice, first);
  copy<<<height, width, 0, first>>>(image, out, width);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
  cudaFreeArray(array);
  cudaFree(out);
  cudaFreeHost(host);
}

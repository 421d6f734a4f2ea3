// Fetches and surface accesses with known texels: they count as global loads and stores.
#include <cstring>

__global__ void row(cudaTextureObject_t image, cudaSurfaceObject_t out) {
  const float value = tex2D<float>(image, threadIdx.x + 0.5f, blockIdx.x + 0.5f);
  surf2Dwrite(value, out, threadIdx.x * 4, blockIdx.x);
}

__global__ void column(cudaTextureObject_t image, cudaSurfaceObject_t out) {
  const float value = tex2D<float>(image, blockIdx.x + 0.5f, threadIdx.x + 0.5f);
  surf2Dwrite(value, out, threadIdx.x * 4, blockIdx.x);
}

/// Fetches four texels of two rows.
__global__ void between(cudaTextureObject_t image, cudaSurfaceObject_t out) {
  const float value = tex2D<float>(image, threadIdx.x % 16 + 1.0f, threadIdx.x / 16 + 1.0f);
  surf2Dwrite(value, out, threadIdx.x * 4, blockIdx.x);
}

int main() {
  const int n = 32;
  static float host[n * n];
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t from, to;
  cudaMallocArray(&from, &format, n, n);
  cudaMallocArray(&to, &format, n, n, cudaArraySurfaceLoadStore);
  cudaMemcpyToArray(from, 0, 0, host, sizeof host, cudaMemcpyHostToDevice);
  cudaResourceDesc resource;
  std::memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = from;
  cudaTextureDesc how;
  std::memset(&how, 0, sizeof how);
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &resource, &how, nullptr);
  resource.res.array.array = to;
  cudaSurfaceObject_t out;
  cudaCreateSurfaceObject(&out, &resource);
  row<<<n, n>>>(image, out);
  column<<<n, n>>>(image, out);
  between<<<1, n>>>(image, out);
  return cudaDeviceSynchronize();
}

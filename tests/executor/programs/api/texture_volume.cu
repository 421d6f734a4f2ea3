// A volume of densities as a 3-D texture: rays sum trilinear samples, with a border around the volume; cudaMemcpy3D
// copies its slices one by one. Also layers of a 2-D array, a cube map, gather and mipmaps.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

static int errors = 0;
static void require(bool holds, const char* what) {
  if (holds) return;
  std::printf("wrong: %s\n", what);
  ++errors;
}
static void ok(cudaError_t error, const char* what) { require(error == cudaSuccess, what); }
#define OK(call) ok(call, #call)

__global__ void cast(cudaTextureObject_t volume, float* image, int n, int steps) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x, y = blockIdx.y;
  if (x >= n) return;
  float sum = 0;
  for (int s = 0; s < steps; ++s) sum += tex3D<float>(volume, (x + 0.5f) / n, (y + 0.5f) / n, (s + 0.5f) / steps);
  image[y * n + x] = sum / steps;
}

__global__ void others(cudaTextureObject_t layers, cudaTextureObject_t cube, cudaTextureObject_t gather,
                       cudaTextureObject_t mips, float* out) {
  out[0] = tex2DLayered<float>(layers, 1.5f, 0.5f, 2);
  out[1] = texCubemap<float>(cube, 1.0f, 0.1f, 0.2f);
  out[2] = texCubemap<float>(cube, -0.1f, 0.3f, -2.0f);
  const float4 four = tex2Dgather<float4>(gather, 2.0f, 1.0f, 0);
  out[3] = four.x;
  out[4] = four.y;
  out[5] = four.z;
  out[6] = four.w;
  out[7] = tex2DLod<float>(mips, 0.5f, 0.5f, 1.0f);
  out[8] = tex2DLod<float>(mips, 0.5f, 0.5f, 0.5f);
  float stored;
  tex2D(&stored, mips, 0.25f, 0.25f);
  out[9] = stored;
  out[10] = tex2DGrad<float>(mips, 0.5f, 0.5f, make_float2(0.5f, 0), make_float2(0, 0.5f));
}

template <class T>
cudaArray_t array_of(const std::vector<T>& data, cudaExtent extent, unsigned flags) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t array = nullptr;
  OK(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaMemcpy3DParms copy = {};
  copy.dstArray = array;
  copy.kind = cudaMemcpyHostToDevice;
  copy.extent = make_cudaExtent(extent.width, extent.height, 1);
  for (size_t z = 0; z < (extent.depth ? extent.depth : 1); ++z) {
    copy.srcPtr = make_cudaPitchedPtr(const_cast<T*>(data.data()) + z * extent.width * extent.height, extent.width * sizeof(T), extent.width, extent.height);
    copy.dstPos = make_cudaPos(0, 0, z);
    OK(cudaMemcpy3D(&copy));
  }
  return array;
}

static cudaTextureObject_t texture_of(cudaArray_t array, cudaTextureAddressMode mode, cudaTextureFilterMode filter, bool normalized) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  for (auto& m : how.addressMode) m = mode;
  how.filterMode = filter;
  how.normalizedCoords = normalized;
  cudaTextureObject_t texture = 0;
  OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

int main() {
  const int n = 24, depth = 10, steps = 40;
  std::vector<float> volume(n * n * depth);
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) volume[(z * n + y) * n + x] = 1.0f / (1 + x + 2 * y + 3 * z);
  cudaArray_t densities = array_of(volume, make_cudaExtent(n, n, depth), 0);
  cudaTextureObject_t texture = texture_of(densities, cudaAddressModeBorder, cudaFilterModeLinear, true);
  float* image;
  OK(cudaMalloc(&image, n * n * sizeof(float)));
  cast<<<dim3(1, n), 32>>>(texture, image, n, steps);
  std::vector<float> seen(n * n);
  OK(cudaMemcpy(seen.data(), image, n * n * sizeof(float), cudaMemcpyDeviceToHost));
  bool right = true;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      double sum = 0;
      for (int s = 0; s < steps; ++s) {
        const double at = (s + 0.5) / steps * depth - 0.5;
        const int k = (int)std::floor(at);
        const double w = std::round((at - k) * 256) / 256;
        const auto density = [&](int z) { return z < 0 || z >= depth ? 0.0 : (double)volume[(z * n + y) * n + x]; };
        sum += (1 - w) * density(k) + w * density(k + 1);
      }
      right = right && std::fabs(sum / steps - seen[y * n + x]) < 1e-3 * (0.01 + sum / steps) + 1.0 / 512 / 8;
    }
  require(right, "rays through the volume");
  cudaExtent extent;
  unsigned flags;
  cudaChannelFormatDesc format;
  OK(cudaArrayGetInfo(&format, &extent, &flags, densities));
  require(extent.depth == depth && format.x == 32 && format.f == cudaChannelFormatKindFloat && flags == 0, "cudaArrayGetInfo");

  std::vector<float> numbers(6 * 16);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  cudaArray_t layers = array_of(numbers, make_cudaExtent(4, 4, 6), cudaArrayLayered);
  cudaArray_t cube = array_of(numbers, make_cudaExtent(4, 4, 6), cudaArrayCubemap);
  cudaArray_t flat = array_of(numbers, make_cudaExtent(4, 4, 0), cudaArrayTextureGather);
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t pyramid;
  OK(cudaMallocMipmappedArray(&pyramid, &floats, make_cudaExtent(4, 4, 0), 3));
  for (unsigned level = 0; level < 3; ++level) {
    cudaArray_t part;
    OK(cudaGetMipmappedArrayLevel(&part, pyramid, level));
    const size_t size = 4 >> level;
    std::vector<float> same(size * size, 10.0f * level);
    OK(cudaMemcpy2DToArray(part, 0, 0, same.data(), size * 4, size * 4, size, cudaMemcpyHostToDevice));
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = pyramid;
  cudaTextureDesc how = {};
  how.normalizedCoords = 1;
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  how.mipmapFilterMode = cudaFilterModeLinear;
  how.maxMipmapLevelClamp = 2;
  cudaTextureObject_t mips = 0;
  OK(cudaCreateTextureObject(&mips, &resource, &how, nullptr));
  cudaTextureObject_t by_layer = texture_of(layers, cudaAddressModeClamp, cudaFilterModePoint, false);
  cudaTextureObject_t by_direction = texture_of(cube, cudaAddressModeClamp, cudaFilterModePoint, true);
  cudaTextureObject_t by_four = texture_of(flat, cudaAddressModeClamp, cudaFilterModePoint, false);
  float* out;
  OK(cudaMalloc(&out, 16 * sizeof(float)));
  others<<<1, 1>>>(by_layer, by_direction, by_four, mips, out);
  float got[11];
  OK(cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost));
  const float want[11] = {33, 5, 86, 5, 6, 2, 1, 10, 5, 0, 10};
  for (int i = 0; i < 11; ++i) {
    if (got[i] != want[i]) std::printf("value %d is %g, not %g\n", i, got[i], want[i]);
    require(got[i] == want[i], "a fetch of another kind");
  }
  for (cudaTextureObject_t object : {texture, mips, by_layer, by_direction, by_four}) OK(cudaDestroyTextureObject(object));
  for (cudaArray_t array : {densities, layers, cube, flat}) OK(cudaFreeArray(array));
  OK(cudaFreeMipmappedArray(pyramid));
  OK(cudaFree(image));
  OK(cudaFree(out));
  if (errors == 0) std::puts("volumes are right");
  return errors != 0;
}

// An image filter with textures: a Gaussian blur whose address mode handles the edges, and a rotation with bilinear
// filtering; uchar4 pixels read as normalised floats, from pitched memory and from an array.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    cudaError_t error = (call);                                                            \
    if (error != cudaSuccess) {                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));       \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

#define RADIUS 3
__constant__ float weights[2 * RADIUS + 1];

__global__ void blur(cudaTextureObject_t image, float4* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int j = -RADIUS; j <= RADIUS; ++j)
    for (int i = -RADIUS; i <= RADIUS; ++i) {
      float4 pixel = tex2D<float4>(image, x + i + 0.5f, y + j + 0.5f);
      float w = weights[i + RADIUS] * weights[j + RADIUS];
      sum.x += w * pixel.x;
      sum.y += w * pixel.y;
      sum.z += w * pixel.z;
      sum.w += w * pixel.w;
    }
  out[y * width + x] = sum;
}

__global__ void rotate(cudaTextureObject_t image, float* out, int width, int height, float angle) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
  float tu = u * cosf(angle) - v * sinf(angle) + 0.5f, tv = v * cosf(angle) + u * sinf(angle) + 0.5f;
  out[y * width + x] = tex2D<float>(image, tu, tv);
}

static int clamped(int i, int n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }
static int wrapped(int i, int n) { return ((i % n) + n) % n; }

int main() {
  const int width = 61, height = 43;
  srand(7);
  std::vector<uchar4> image(width * height);
  std::vector<float> gray(width * height);
  for (int i = 0; i < width * height; ++i) {
    image[i] = make_uchar4(rand() % 256, rand() % 256, rand() % 256, 255);
    gray[i] = (rand() % 1000) / 1000.0f;
  }

  uchar4* pixels;
  size_t pitch;
  CHECK(cudaMallocPitch(&pixels, &pitch, width * sizeof(uchar4), height));
  CHECK(cudaMemcpy2D(pixels, pitch, image.data(), width * sizeof(uchar4), width * sizeof(uchar4), height, cudaMemcpyHostToDevice));
  cudaResourceDesc pitched;
  memset(&pitched, 0, sizeof(pitched));
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D.devPtr = pixels;
  pitched.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  pitched.res.pitch2D.width = width;
  pitched.res.pitch2D.height = height;
  pitched.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc clamp;
  memset(&clamp, 0, sizeof(clamp));
  clamp.addressMode[0] = clamp.addressMode[1] = cudaAddressModeClamp;
  clamp.filterMode = cudaFilterModePoint;
  clamp.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t colours;
  CHECK(cudaCreateTextureObject(&colours, &pitched, &clamp, NULL));

  float host_weights[2 * RADIUS + 1], total = 0;
  for (int i = -RADIUS; i <= RADIUS; ++i) total += host_weights[i + RADIUS] = expf(-0.5f * i * i / 2.0f);
  for (float& w : host_weights) w /= total;
  CHECK(cudaMemcpyToSymbol(weights, host_weights, sizeof(host_weights)));
  float4* blurred;
  CHECK(cudaMalloc(&blurred, width * height * sizeof(float4)));
  dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
  blur<<<grid, block>>>(colours, blurred, width, height);
  CHECK(cudaGetLastError());
  std::vector<float4> result(width * height);
  CHECK(cudaMemcpy(result.data(), blurred, width * height * sizeof(float4), cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      double sum = 0;
      for (int j = -RADIUS; j <= RADIUS; ++j)
        for (int i = -RADIUS; i <= RADIUS; ++i)
          sum += (double)host_weights[i + RADIUS] * host_weights[j + RADIUS] * image[clamped(y + j, height) * width + clamped(x + i, width)].y / 255;
      if (!(fabs(sum - result[y * width + x].y) < 1e-5) || !(fabs(1 - result[y * width + x].w) < 1e-5)) {
        printf("blur: (%d,%d) is %g, not %g\n", x, y, result[y * width + x].y, sum);
        return 1;
      }
    }

  cudaArray* array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  CHECK(cudaMallocArray(&array, &format, width, height));
  CHECK(cudaMemcpyToArray(array, 0, 0, gray.data(), width * height * sizeof(float), cudaMemcpyHostToDevice));
  cudaResourceDesc in_array;
  memset(&in_array, 0, sizeof(in_array));
  in_array.resType = cudaResourceTypeArray;
  in_array.res.array.array = array;
  cudaTextureDesc wrap;
  memset(&wrap, 0, sizeof(wrap));
  wrap.normalizedCoords = true;
  wrap.filterMode = cudaFilterModeLinear;
  wrap.addressMode[0] = wrap.addressMode[1] = cudaAddressModeWrap;
  wrap.readMode = cudaReadModeElementType;
  cudaTextureObject_t grays;
  CHECK(cudaCreateTextureObject(&grays, &in_array, &wrap, NULL));
  float* turned;
  CHECK(cudaMalloc(&turned, width * height * sizeof(float)));
  const float angle = 0.5f;
  rotate<<<grid, block>>>(grays, turned, width, height, angle);
  std::vector<float> rotated(width * height);
  CHECK(cudaMemcpy(rotated.data(), turned, width * height * sizeof(float), cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      float u = x / (float)width - 0.5f, v = y / (float)height - 0.5f;
      double s = (double)(u * cosf(angle) - v * sinf(angle) + 0.5f) * width - 0.5;
      double t = (double)(v * cosf(angle) + u * sinf(angle) + 0.5f) * height - 0.5;
      int i = (int)floor(s), j = (int)floor(t);
      double a = s - i, b = t - j;
      auto at = [&](int p, int q) { return (double)gray[wrapped(q, height) * width + wrapped(p, width)]; };
      double want = (1 - a) * (1 - b) * at(i, j) + a * (1 - b) * at(i + 1, j) + (1 - a) * b * at(i, j + 1) + a * b * at(i + 1, j + 1);
      if (!(fabs(want - rotated[y * width + x]) < 2.0 / 256)) {  // filter weights have 8 bits
        printf("rotate: (%d,%d) is %g, not %g\n", x, y, rotated[y * width + x], want);
        return 1;
      }
    }
  cudaDestroyTextureObject(colours);
  cudaDestroyTextureObject(grays);
  cudaFreeArray(array);
  cudaFree(pixels);
  cudaFree(blurred);
  cudaFree(turned);
  puts("images are right");
  return 0;
}

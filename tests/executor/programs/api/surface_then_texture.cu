// Game of Life on surfaces: each launch reads one array through a texture and writes the other as a surface; surfaces
// of bytes, int2 and float4, layers and slices, and the boundary modes.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void step(cudaTextureObject_t now, cudaSurfaceObject_t next, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int n = 0;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i)
      if (i != 0 || j != 0) n += tex2D<unsigned char>(now, (x + i + 0.5f) / width, (y + j + 0.5f) / height);
  unsigned char alive = tex2D<unsigned char>(now, (x + 0.5f) / width, (y + 0.5f) / height);
  unsigned char then = n == 3 || (alive && n == 2);
  surf2Dwrite(then, next, x, y);
}

__global__ void fill(cudaSurfaceObject_t pairs, cudaSurfaceObject_t vectors) {
  int t = threadIdx.x;
  surf1DLayeredwrite(make_int2(t, -t), pairs, t * 8, blockIdx.x);
  surf3Dwrite(make_float4(t, blockIdx.x, 3, 4), vectors, t * 16, 1, blockIdx.x);
}

__global__ void look(cudaSurfaceObject_t pairs, cudaSurfaceObject_t vectors, int* out) {
  int t = threadIdx.x;
  int2 pair = surf1DLayeredread<int2>(pairs, t * 8, blockIdx.x);
  float4 vector;
  surf3Dread(&vector, vectors, t * 16, 1, blockIdx.x);
  int2 outside = surf1DLayeredread<int2>(pairs, -8, 0, cudaBoundaryModeZero);
  int2 clamped = surf1DLayeredread<int2>(pairs, 1000 * 8, 1, cudaBoundaryModeClamp);
  out[blockIdx.x * blockDim.x + t] = pair.x + pair.y + (int)vector.x + (int)vector.y + outside.x + clamped.x;
}

__global__ void write_outside(cudaSurfaceObject_t pairs) {
  surf1DLayeredwrite(make_int2(77, 77), pairs, -8, 0, cudaBoundaryModeZero);
}

static void check(cudaError_t error, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "line %d: %s\n", line, cudaGetErrorName(error));
  exit(1);
}
#define CHECK(x) check(x, __LINE__)

static cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

int main() {
  const int width = 50, height = 37, steps = 6;
  static unsigned char world[2][height][width];
  srand(3);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) world[0][y][x] = rand() % 3 == 0;

  cudaArray_t arrays[2];
  cudaTextureObject_t textures[2];
  cudaSurfaceObject_t surfaces[2];
  cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
  cudaTextureDesc wrap;
  memset(&wrap, 0, sizeof wrap);
  wrap.addressMode[0] = wrap.addressMode[1] = cudaAddressModeWrap;
  wrap.normalizedCoords = 1;
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaMallocArray(&arrays[i], &bytes, width, height, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource = resource_of(arrays[i]);
    CHECK(cudaCreateTextureObject(&textures[i], &resource, &wrap, NULL));
    CHECK(cudaCreateSurfaceObject(&surfaces[i], &resource));
  }
  CHECK(cudaMemcpy2DToArray(arrays[0], 0, 0, world[0], width, width, height, cudaMemcpyHostToDevice));
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  for (int s = 0; s < steps; ++s) {
    step<<<grid, block>>>(textures[s % 2], surfaces[(s + 1) % 2], width, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        int n = 0;
        for (int j = -1; j <= 1; ++j)
          for (int i = -1; i <= 1; ++i)
            if (i || j) n += world[s % 2][(y + j + height) % height][(x + i + width) % width];
        world[(s + 1) % 2][y][x] = n == 3 || (world[s % 2][y][x] && n == 2);
      }
  }
  static unsigned char seen[height][width];
  CHECK(cudaMemcpy2DFromArray(seen, width, arrays[steps % 2], 0, 0, width, height, cudaMemcpyDeviceToHost));
  if (memcmp(seen, world[steps % 2], sizeof seen) != 0) {
    puts("the worlds differ");
    return 1;
  }

  const int n = 32, layers = 3;
  cudaArray_t pairs, vectors;
  cudaChannelFormatDesc int2s = cudaCreateChannelDesc<int2>(), float4s = cudaCreateChannelDesc<float4>();
  CHECK(cudaMalloc3DArray(&pairs, &int2s, make_cudaExtent(n, 0, layers), cudaArrayLayered | cudaArraySurfaceLoadStore));
  CHECK(cudaMalloc3DArray(&vectors, &float4s, make_cudaExtent(n, 2, layers), cudaArraySurfaceLoadStore));
  cudaResourceDesc of_pairs = resource_of(pairs), of_vectors = resource_of(vectors);
  cudaSurfaceObject_t pair_surface, vector_surface;
  CHECK(cudaCreateSurfaceObject(&pair_surface, &of_pairs));
  CHECK(cudaCreateSurfaceObject(&vector_surface, &of_vectors));
  int* out;
  CHECK(cudaMalloc(&out, n * layers * sizeof(int)));
  fill<<<layers, n>>>(pair_surface, vector_surface);
  write_outside<<<1, 1>>>(pair_surface);
  look<<<layers, n>>>(pair_surface, vector_surface, out);
  int sums[n * layers];
  CHECK(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
  for (int l = 0; l < layers; ++l)
    for (int t = 0; t < n; ++t)
      if (sums[l * n + t] != t + l + n - 1) {
        printf("layer %d, %d: %d\n", l, t, sums[l * n + t]);
        return 1;
      }
  cudaResourceDesc plain;
  CHECK(cudaGetSurfaceObjectResourceDesc(&plain, pair_surface));
  if (plain.res.array.array != pairs) return 1;
  CHECK(cudaDestroySurfaceObject(pair_surface));
  CHECK(cudaDestroySurfaceObject(vector_surface));
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaDestroyTextureObject(textures[i]));
    CHECK(cudaDestroySurfaceObject(surfaces[i]));
    CHECK(cudaFreeArray(arrays[i]));
  }
  CHECK(cudaFreeArray(pairs));
  CHECK(cudaFreeArray(vectors));
  CHECK(cudaFree(out));
  puts("surfaces are right");
  return 0;
}

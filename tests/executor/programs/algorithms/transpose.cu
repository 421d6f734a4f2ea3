// Matrix transpose: naive, shared tile with a padding column, and rectangular blocks of 32x8.
#include <stdio.h>
#include <assert.h>
#include <vector>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

inline cudaError_t checkCuda(cudaError_t result)
{
  if (result != cudaSuccess) {
    fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    assert(result == cudaSuccess);
  }
  return result;
}

template <typename T>
__global__ void transposeNaive(T *odata, const T *idata, int width, int height)
{
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height)
      odata[x * height + (y + j)] = idata[(y + j) * width + x];
}

template <typename T>
__global__ void transposeNoBankConflicts(T *odata, const T *idata, int width, int height)
{
  __shared__ T tile[TILE_DIM][TILE_DIM + 1];

  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];

  __syncthreads();

  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < height && y + j < width)
      odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

// In place: the thread above the diagonal swaps the two elements.
__global__ void transposeTriangular(int *m, int n)
{
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < j && j < n) {
    int t = m[i * n + j];
    m[i * n + j] = m[j * n + i];
    m[j * n + i] = t;
  }
}

template <typename T>
int run(int nx, int ny)
{
  std::vector<T> h(nx * ny), got(nx * ny);
  for (int i = 0; i < nx * ny; i++) h[i] = (T)i;
  T *d_i, *d_o;
  checkCuda(cudaMalloc(&d_i, nx * ny * sizeof(T)));
  checkCuda(cudaMalloc(&d_o, nx * ny * sizeof(T)));
  checkCuda(cudaMemcpy(d_i, h.data(), nx * ny * sizeof(T), cudaMemcpyHostToDevice));
  dim3 dimGrid((nx + TILE_DIM - 1) / TILE_DIM, (ny + TILE_DIM - 1) / TILE_DIM, 1);
  dim3 dimBlock(TILE_DIM, BLOCK_ROWS, 1);
  int bad = 0;
  for (int variant = 0; variant < 2; variant++) {
    checkCuda(cudaMemset(d_o, 0xff, nx * ny * sizeof(T)));
    if (variant == 0)
      transposeNaive<<<dimGrid, dimBlock>>>(d_o, d_i, nx, ny);
    else
      transposeNoBankConflicts<<<dimGrid, dimBlock>>>(d_o, d_i, nx, ny);
    checkCuda(cudaGetLastError());
    checkCuda(cudaMemcpy(got.data(), d_o, nx * ny * sizeof(T), cudaMemcpyDeviceToHost));
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) bad += got[x * ny + y] != h[y * nx + x];
  }
  checkCuda(cudaFree(d_i));
  checkCuda(cudaFree(d_o));
  return bad;
}

int main()
{
  int bad = run<float>(70, 45) + run<double>(33, 64) + run<unsigned char>(50, 50);

  const int n = 43;
  std::vector<int> m(n * n), t(n * n);
  for (int i = 0; i < n * n; i++) m[i] = i * i;
  int *d;
  checkCuda(cudaMalloc(&d, n * n * sizeof(int)));
  checkCuda(cudaMemcpy(d, m.data(), n * n * sizeof(int), cudaMemcpyHostToDevice));
  transposeTriangular<<<dim3(3, 6), dim3(16, 8)>>>(d, n);
  checkCuda(cudaMemcpy(t.data(), d, n * n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n * n; i++) bad += t[i % n * n + i / n] != m[i];
  checkCuda(cudaFree(d));
  printf("transpose: %s\n", bad == 0 ? "PASS" : "*** FAILED ***");
  return bad != 0;
}

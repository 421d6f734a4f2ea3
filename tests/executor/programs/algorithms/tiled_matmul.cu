// C = A * B with square shared tiles; the sizes are not multiples of the tile.
#include <cmath>
#include <iostream>
#include <vector>

#define TILE_WIDTH 16

#define cudaCheck(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char *file, int line, bool abort = true)
{
   if (code != cudaSuccess)
   {
      fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
      if (abort) exit(code);
   }
}

__global__ void matrixMultiplyShared(float *A, float *B, float *C,
                                     int numARows, int numAColumns,
                                     int numBRows, int numBColumns,
                                     int numCRows, int numCColumns) {
  __shared__ float ds_A[TILE_WIDTH][TILE_WIDTH];
  __shared__ float ds_B[TILE_WIDTH][TILE_WIDTH];
  int bx = blockIdx.x, by = blockIdx.y;
  int tx = threadIdx.x, ty = threadIdx.y;
  int Row = by * TILE_WIDTH + ty;
  int Col = bx * TILE_WIDTH + tx;
  float Pvalue = 0;

  for (int m = 0; m < (numAColumns - 1) / TILE_WIDTH + 1; ++m) {
    if (Row < numARows && m * TILE_WIDTH + tx < numAColumns)
      ds_A[ty][tx] = A[Row * numAColumns + m * TILE_WIDTH + tx];
    else
      ds_A[ty][tx] = 0;
    if (Col < numBColumns && m * TILE_WIDTH + ty < numBRows)
      ds_B[ty][tx] = B[(m * TILE_WIDTH + ty) * numBColumns + Col];
    else
      ds_B[ty][tx] = 0;

    __syncthreads();
    for (int k = 0; k < TILE_WIDTH; ++k)
      Pvalue += ds_A[ty][k] * ds_B[k][tx];
    __syncthreads();
  }
  if (Row < numCRows && Col < numCColumns)
    C[Row * numCColumns + Col] = Pvalue;
}

class Matrix {
public:
  Matrix(int r, int c) : rows(r), cols(c), host(r * c) {
    cudaCheck(cudaMalloc((void **)&device, sizeof(float) * r * c));
  }
  ~Matrix() { cudaFree(device); }
  Matrix(const Matrix &) = delete;
  Matrix &operator=(const Matrix &) = delete;
  void toDevice() { cudaCheck(cudaMemcpy(device, host.data(), sizeof(float) * host.size(), cudaMemcpyHostToDevice)); }
  void toHost() { cudaCheck(cudaMemcpy(host.data(), device, sizeof(float) * host.size(), cudaMemcpyDeviceToHost)); }
  float &at(int r, int c) { return host[r * cols + c]; }

  int rows, cols;
  std::vector<float> host;
  float *device;
};

int main() {
  Matrix A(70, 37), B(37, 53), C(70, 53);
  for (int i = 0; i < A.rows; i++)
    for (int j = 0; j < A.cols; j++) A.at(i, j) = float((i * 3 + j) % 11) - 5;
  for (int i = 0; i < B.rows; i++)
    for (int j = 0; j < B.cols; j++) B.at(i, j) = float((i + j * 5) % 13) - 6;
  A.toDevice();
  B.toDevice();

  dim3 dimGrid((C.cols - 1) / TILE_WIDTH + 1, (C.rows - 1) / TILE_WIDTH + 1, 1);
  dim3 dimBlock(TILE_WIDTH, TILE_WIDTH, 1);
  matrixMultiplyShared<<<dimGrid, dimBlock>>>(A.device, B.device, C.device,
                                              A.rows, A.cols, B.rows, B.cols,
                                              C.rows, C.cols);
  cudaCheck(cudaPeekAtLastError());
  cudaCheck(cudaDeviceSynchronize());
  C.toHost();

  int wrong = 0;
  for (int i = 0; i < C.rows; i++)
    for (int j = 0; j < C.cols; j++) {
      float sum = 0;
      for (int k = 0; k < A.cols; k++) sum += A.at(i, k) * B.at(k, j);
      if (!(std::fabs(sum - C.at(i, j)) < 1e-3f)) wrong++;
    }
  std::cout << "tiled_matmul: " << wrong << " wrong of " << C.rows * C.cols << std::endl;
  return wrong != 0;
}

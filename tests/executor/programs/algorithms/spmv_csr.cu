// Sparse matrix times vector in CSR: a thread per row, then a warp per row; rows may be empty or long.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct csr_matrix {
  int n_rows, n_cols;
  std::vector<int> offsets, columns;
  std::vector<double> values;
};

static csr_matrix random_matrix(int n_rows, int n_cols) {
  csr_matrix m{n_rows, n_cols, {0}, {}, {}};
  std::srand(4);
  for (int r = 0; r < n_rows; ++r) {
    int length = r % 10 == 3 ? 0 : (r % 50 == 7 ? 90 : 1 + std::rand() % 12);
    for (int k = 0; k < length; ++k) {
      m.columns.push_back(std::rand() % n_cols);
      m.values.push_back((std::rand() % 200 - 100) / 16.0);
    }
    m.offsets.push_back(int(m.columns.size()));
  }
  return m;
}

__global__ void spmv_scalar(int n_rows, const int* __restrict__ offsets, const int* __restrict__ columns,
                            const double* __restrict__ values, const double* __restrict__ x, double* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n_rows) {
    double dot = 0;
    for (int j = offsets[row]; j < offsets[row + 1]; ++j) dot += values[j] * __ldg(&x[columns[j]]);
    y[row] = dot;
  }
}

template <int WARPS>
__global__ void spmv_vector(int n_rows, const int* offsets, const int* columns, const double* values, const double* x,
                            double* y) {
  __shared__ int range[WARPS][2];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int row = blockIdx.x * WARPS + warp; row < n_rows; row += gridDim.x * WARPS) {
    if (lane < 2) range[warp][lane] = offsets[row + lane];
    __syncwarp();
    const int begin = range[warp][0], end = range[warp][1];
    __syncwarp();
    double sum = 0;
    for (int j = begin + lane; j < end; j += 32) sum += values[j] * x[columns[j]];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0) y[row] = sum;
  }
}

template <class T>
T* copy_to_device(const std::vector<T>& v) {
  T* p = nullptr;
  if (cudaMalloc((void**)&p, sizeof(T) * v.size()) != cudaSuccess ||
      cudaMemcpy(p, v.data(), sizeof(T) * v.size(), cudaMemcpyHostToDevice) != cudaSuccess) {
    std::fprintf(stderr, "upload failed\n");
    std::exit(2);
  }
  return p;
}

int main() {
  csr_matrix m = random_matrix(333, 210);
  std::vector<double> x(m.n_cols), got(m.n_rows);
  for (int i = 0; i < m.n_cols; ++i) x[i] = std::sin(i * 0.1);
  int *offsets = copy_to_device(m.offsets), *columns = copy_to_device(m.columns);
  double *values = copy_to_device(m.values), *d_x = copy_to_device(x), *y;
  cudaMalloc((void**)&y, m.n_rows * sizeof(double));

  int bad = 0;
  for (int variant = 0; variant < 2; ++variant) {
    if (variant == 0)
      spmv_scalar<<<(m.n_rows + 127) / 128, 128>>>(m.n_rows, offsets, columns, values, d_x, y);
    else
      spmv_vector<4><<<20, 4 * 32>>>(m.n_rows, offsets, columns, values, d_x, y);
    if (cudaMemcpy(got.data(), y, m.n_rows * sizeof(double), cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
    for (int r = 0; r < m.n_rows; ++r) {
      double want = 0;
      for (int j = m.offsets[r]; j < m.offsets[r + 1]; ++j) want += m.values[j] * x[m.columns[j]];
      bad += !(std::fabs(want - got[r]) < 1e-10);
    }
    cudaMemset(y, 0xff, m.n_rows * sizeof(double));
  }
  cudaFree(offsets); cudaFree(columns); cudaFree(values); cudaFree(d_x); cudaFree(y);
  std::printf("spmv_csr: %zu non-zeros, %d bad rows\n", m.values.size(), bad);
  return bad != 0;
}

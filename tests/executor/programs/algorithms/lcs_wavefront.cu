// Longest common subsequence by anti-diagonals: one launch per diagonal of blocks, a barrier per diagonal in a block.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>
#include <algorithm>

#define B 16

__global__ void lcs_block(const char *a, int n, const char *b, int m, int *table, int diagonal, int first_row) {
  // table is (n+1) x (m+1); row 0 and column 0 are zero
  __shared__ int s[B + 1][B + 1];
  const int block_row = first_row + blockIdx.x, block_col = diagonal - block_row;
  const int r0 = block_row * B, c0 = block_col * B, t = threadIdx.x, pitch = m + 1;
  if (r0 + t + 1 <= n) s[t + 1][0] = table[(r0 + t + 1) * pitch + c0];
  if (c0 + t + 1 <= m) s[0][t + 1] = table[r0 * pitch + c0 + t + 1];
  if (t == 0) s[0][0] = table[r0 * pitch + c0];
  __syncthreads();

  for (int d = 0; d < 2 * B - 1; d++) {
    const int c = t, r = d - t;
    if (r >= 0 && r < B && r0 + r < n && c0 + c < m) {
      if (a[r0 + r] == b[c0 + c]) s[r + 1][c + 1] = s[r][c] + 1;
      else s[r + 1][c + 1] = max(s[r][c + 1], s[r + 1][c]);
    }
    __syncthreads();
  }
  for (int r = 0; r < B; r++)
    if (r0 + r < n && c0 + t < m) table[(r0 + r + 1) * pitch + c0 + t + 1] = s[r + 1][t + 1];
}

int main() {
  std::string a, b;
  for (int i = 0; i < 83; i++) a += char('a' + i * i % 5);
  for (int i = 0; i < 71; i++) b += char('a' + (i * 3 + i / 4) % 5);
  const int n = a.size(), m = b.size();

  char *d_a, *d_b;
  int *table;
  cudaMalloc(&d_a, n);
  cudaMalloc(&d_b, m);
  cudaMalloc(&table, (n + 1) * (m + 1) * sizeof(int));
  cudaMemcpy(d_a, a.c_str(), n, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), m, cudaMemcpyHostToDevice);
  cudaMemset(table, 0, (n + 1) * (m + 1) * sizeof(int));

  const int rows = (n + B - 1) / B, cols = (m + B - 1) / B;
  for (int diagonal = 0; diagonal < rows + cols - 1; diagonal++) {
    int first = std::max(0, diagonal - cols + 1), last = std::min(rows - 1, diagonal);
    lcs_block<<<last - first + 1, B>>>(d_a, n, d_b, m, table, diagonal, first);
  }
  std::vector<int> got((n + 1) * (m + 1)), want(got.size(), 0);
  if (cudaMemcpy(got.data(), table, got.size() * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++)
      want[i * (m + 1) + j] = a[i - 1] == b[j - 1] ? want[(i - 1) * (m + 1) + j - 1] + 1
                                                   : std::max(want[(i - 1) * (m + 1) + j], want[i * (m + 1) + j - 1]);
  cudaFree(d_a); cudaFree(d_b); cudaFree(table);
  printf("lcs_wavefront: length %d, %s\n", got.back(), got == want ? "ok" : "WRONG");
  return got == want ? 0 : 1;
}

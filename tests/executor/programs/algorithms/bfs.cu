// Breadth-first search with a frontier queue: atomicCAS claims a vertex, atomicAdd reserves its place in the next queue.
// A second kernel relaxes weighted edges with atomicMin until nothing changes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

struct Graph {
  std::vector<int> row;
  std::vector<int> col;
  int n() const { return static_cast<int>(row.size()) - 1; }
};

static Graph make_graph(int n) {
  Graph g;
  g.row.push_back(0);
  unsigned seed = 99;
  for (int v = 0; v < n; ++v) {
    int degree = 1 + v % 4;
    for (int k = 0; k < degree; ++k) {
      seed = seed * 1103515245u + 12345u;
      g.col.push_back(static_cast<int>((seed >> 8) % n));
    }
    g.row.push_back(static_cast<int>(g.col.size()));
  }
  return g;
}

__global__ void expand(const int* row, const int* col, const int* frontier, int frontier_size, int* next,
                       int* next_size, int* level, int depth) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= frontier_size) return;
  int u = frontier[t];
  for (int e = row[u]; e < row[u + 1]; ++e) {
    int v = col[e];
    if (atomicCAS(&level[v], -1, depth) == -1) next[atomicAdd(next_size, 1)] = v;
  }
}

__global__ void relax(const int* row, const int* col, const int* dist_in, int* dist_out, int n, int* changed) {
  int u = blockIdx.x * blockDim.x + threadIdx.x;
  if (u >= n) return;
  int mine = dist_in[u];
  if (mine == 1 << 28) return;
  for (int e = row[u]; e < row[u + 1]; ++e) {
    int candidate = mine + 1 + (e % 3);
    if (atomicMin(&dist_out[col[e]], candidate) > candidate) atomicOr(changed, 1);
  }
}

template <typename T>
static T* to_device(const std::vector<T>& v) {
  T* p;
  if (cudaMalloc((void**)&p, v.size() * sizeof(T)) != cudaSuccess) abort();
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int main() {
  const int n = 701, source = 3;
  Graph g = make_graph(n);
  int *row = to_device(g.row), *col = to_device(g.col);

  std::vector<int> level(n, -1);
  level[source] = 0;
  int* d_level = to_device(level);
  int* frontier = to_device(std::vector<int>(n, source));
  int* next = to_device(std::vector<int>(n, 0));
  int* counter;
  cudaMalloc(&counter, sizeof(int));
  int size = 1, depth = 0;
  while (size > 0) {
    cudaMemset(counter, 0, sizeof(int));
    expand<<<(size + 63) / 64, 64>>>(row, col, frontier, size, next, counter, d_level, ++depth);
    cudaMemcpy(&size, counter, sizeof(int), cudaMemcpyDeviceToHost);
    std::swap(frontier, next);
  }
  std::vector<int> got(n);
  cudaMemcpy(got.data(), d_level, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::deque<int> queue{source};
  while (!queue.empty()) {
    int u = queue.front();
    queue.pop_front();
    for (int e = g.row[u]; e < g.row[u + 1]; ++e)
      if (level[g.col[e]] < 0) level[g.col[e]] = level[u] + 1, queue.push_back(g.col[e]);
  }

  std::vector<int> dist(n, 1 << 28);
  dist[source] = 0;
  int *dist_a = to_device(dist), *dist_b = to_device(dist);
  int again = 1, rounds = 0;
  while (again && rounds++ < n) {
    cudaMemset(counter, 0, sizeof(int));
    relax<<<(n + 127) / 128, 128>>>(row, col, dist_a, dist_b, n, counter);
    cudaMemcpy(&again, counter, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(dist_a, dist_b, n * sizeof(int), cudaMemcpyDeviceToDevice);
  }
  for (bool moved = true; moved;) {
    moved = false;
    for (int u = 0; u < n; ++u)
      for (int e = g.row[u]; dist[u] < 1 << 28 && e < g.row[u + 1]; ++e)
        if (dist[u] + 1 + e % 3 < dist[g.col[e]]) dist[g.col[e]] = dist[u] + 1 + e % 3, moved = true;
  }
  std::vector<int> got_dist(n);
  cudaMemcpy(got_dist.data(), dist_a, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int* p : {row, col, d_level, frontier, next, counter, dist_a, dist_b}) cudaFree(p);

  bool ok = got == level && got_dist == dist && cudaGetLastError() == cudaSuccess;
  printf("bfs: depth %d, %d relaxation rounds: %s\n", depth, rounds, ok ? "ok" : "MISMATCH");
  return ok ? 0 : 1;
}

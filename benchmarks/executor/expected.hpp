// Inputs and expected outputs of the three kernels, for both programs. All values are small multiples of 1/4, so every
// sum is exact in any order and the comparison needs no tolerance.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace bench {

constexpr int n = 1024;  // rows and columns; 1M elements
constexpr int n_elements = n * n;
constexpr int block = 256;  // threads per block of the reduction

inline std::vector<float> make_input() {
  std::vector<float> values(n_elements);
  for (int i = 0; i < n_elements; ++i) values[i] = static_cast<float>((i * 7 + i / n) % 13);
  return values;
}

inline std::vector<float> expected(const std::string& kernel, const std::vector<float>& in) {
  if (kernel == "block_reduction") {
    std::vector<float> sums(n_elements / block);
    for (int i = 0; i < n_elements; ++i) sums[i / block] += in[i];
    return sums;
  }
  std::vector<float> out = in;
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      const int i = y * n + x;
      const bool is_edge = x == 0 || y == 0 || x == n - 1 || y == n - 1;
      if (kernel == "tiled_transpose") {
        out[x * n + y] = in[i];
      } else if (!is_edge) {
        out[i] = in[i] + 0.25F * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] - 4.0F * in[i]);
      }
    }
  }
  return out;
}

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Prints the time of the launch and returns whether the values are right, as an exit code.
inline int report(double seconds, const std::vector<float>& out, const std::vector<float>& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (out[i] == wanted[i]) continue;
    std::fprintf(stderr, "element %zu is %g instead of %g\n", i, out[i], wanted[i]);
    return 1;
  }
  std::printf("seconds %.6f\n", seconds);
  return 0;
}

[[noreturn]] inline void fail(const char* what, int code) {
  std::fprintf(stderr, "%s failed with %d\n", what, code);
  std::exit(1);
}

}  // namespace bench

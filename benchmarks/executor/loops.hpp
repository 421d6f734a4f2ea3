// Inputs and sizes of the loops, shared by all programs, and the clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace bench {

constexpr int side = 2048, n_elements = side * side;  // 4M
constexpr int n_bodies = 8192, image = 1024;
constexpr float rate = 0.02f, volatility = 0.3f;
constexpr int n_repetitions = 15;

struct Inputs {
  std::vector<float> a, b, c;

  Inputs() : a(n_elements), b(n_elements), c(n_elements) {
    for (int i = 0; i < n_elements; ++i) {
      a[i] = 5.0f + static_cast<float>(i * 7 % 1009) / 40.0f;
      b[i] = 1.0f + static_cast<float>(i * 11 % 997) / 10.0f;
      c[i] = 0.25f + static_cast<float>(i * 13 % 499) / 50.0f;
    }
  }
};

/// Prints the name and the seconds of the fastest run, after one warm-up run.
template <class Run>
void best(const char* name, Run run) {
  double fastest = 1e9;
  for (int i = 0; i <= n_repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (i > 0) fastest = std::min(fastest, seconds);
  }
  std::printf("%s %.6f", name, fastest);
}

/// Prints the sum of the values, to compare the programs' results.
template <class T>
void print_sum(const std::vector<T>& values) {
  double sum = 0;
  for (const T& value : values) sum += static_cast<double>(value);
  std::printf(" sum %.9g\n", sum);
}

}  // namespace bench

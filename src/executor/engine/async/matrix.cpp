// ldmatrix, stmatrix and mma.sync. Products are accumulated in float in the order of k, starting with d.
#include "executor/engine/async/matrix.hpp"

#include <array>
#include <cmath>
#include <cstring>

#include "executor/engine/failure.hpp"
#include "executor/engine/sync_findings.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {
namespace {

constexpr int matrix_row_bytes = 16;  // of an 8 x 8 matrix of 16-bit elements
using RowBytes = std::array<std::byte, matrix_row_bytes>;

/// Returns the values of all lanes. Every lane of the warp must call it.
template <class T>
std::array<T, 32> all_lanes(const T& mine, const void* place) {
  Worker& worker = *this_worker();
  worker.catch_up();
  const Warp& warp = worker.block().warps[rafter_simt_now.linear / 32];
  if (warp.live != ~0u) {
    report_unsupported("a warp-wide operation (ldmatrix, stmatrix, mma) after some lanes of the warp have returned",
                       place);
    worker.abandon(launch_failure);
  }
  std::array<T, 32> all;
  worker.warp_exchange(~0u, &mine, sizeof mine, all.data(), place);
  return all;
}

void touch(void* row, bool writes, const void* place) {
  if (Observer* observer = observing())
    observer->access(
        {static_cast<std::byte*>(row), matrix_row_bytes, writes, !writes, AccessMode::plain, false, place});
}

unsigned lane() { return rafter_simt_now.linear % 32; }

struct Operands {
  std::array<std::uint32_t, 4> a;
  std::array<std::uint32_t, 2> b;
};

/// Adds row `row` of a times column `column` of b to `sum`.
float product(rafter_simt::MmaType type, const std::array<Operands, 32>& lanes, unsigned row, unsigned column,
              float sum) {
  const bool is_tf32 = type == rafter_simt::MmaType::tf32;
  const unsigned k_of_word = is_tf32 ? 1 : 2;
  for (unsigned k = 0; k < 8 * k_of_word; ++k) {
    const unsigned t = k / k_of_word % 4, upper = k / (4 * k_of_word), half = k % k_of_word;
    const float a = element(type, lanes[row % 8 * 4 + t].a[row / 8 + 2 * upper], half);
    const float b = element(type, lanes[column * 4 + t].b[upper], half);
    sum += a * b;
  }
  return sum;
}

}  // namespace

float half_value(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const float sign = bits >> 15 ? -1.f : 1.f;
  if (exponent == 31) return fraction ? std::nanf("") : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
}

float e4m3_value(std::uint8_t bits) {
  const int exponent = bits >> 3 & 15, fraction = bits & 7;
  const float sign = bits >> 7 ? -1.f : 1.f;
  if ((bits & 127) == 127) return std::nanf("");
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -9);
  return sign * std::ldexp(static_cast<float>(8 + fraction), exponent - 10);
}

std::uint16_t half_bits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value), sign = bits >> 16 & 0x8000u;
  const float size = std::fabs(value);
  if (!(size == size)) return 0x7fff;
  if (size == 0) return static_cast<std::uint16_t>(sign);
  if (size >= 65520.f) return static_cast<std::uint16_t>(sign | 0x7c00u);
  int exponent = 0;
  std::frexp(size, &exponent);
  const int shift =
      std::max(exponent - 11, -24);  // exponent of the last bit; subnormal numbers (below 2^-14) have fewer bits
  const auto rounded = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(size, -shift)));
  const std::uint32_t magnitude = shift == -24 ? rounded : rounded + (static_cast<std::uint32_t>(shift + 24) << 10);
  return static_cast<std::uint16_t>(sign | magnitude);
}

}  // namespace rafter::simt

using namespace rafter::simt;

#define RAFTER_SIMT_EXPORT extern "C" __attribute__((visibility("default")))
#define RAFTER_SIMT_HERE __builtin_return_address(0)

RAFTER_SIMT_EXPORT void rafter_simt_ldmatrix(unsigned* to, int n, const void* row, int transposed) {
  if (!rafter_simt_now.inside) return;
  this_worker()->catch_up();
  RowBytes mine{};
  if (static_cast<int>(lane()) < 8 * n) {
    touch(const_cast<void*>(row), false, RAFTER_SIMT_HERE);
    std::memcpy(mine.data(), row, matrix_row_bytes);
  }
  const std::array<RowBytes, 32> rows = all_lanes(mine, RAFTER_SIMT_HERE);
  const unsigned g = lane() / 4, t = lane() % 4;
  for (unsigned i = 0; i < static_cast<unsigned>(n); ++i) {
    std::array<std::uint16_t, 2> pair;
    for (unsigned e = 0; e < 2; ++e) {
      const unsigned r = transposed ? 2 * t + e : g, c = transposed ? g : 2 * t + e;
      std::memcpy(&pair[e], &rows[8 * i + r][2 * c], 2);
    }
    to[i] = pair[0] | static_cast<unsigned>(pair[1]) << 16;
  }
}

RAFTER_SIMT_EXPORT void rafter_simt_stmatrix(void* row, const unsigned* from, int n) {
  if (!rafter_simt_now.inside) return;
  std::array<std::uint32_t, 4> mine{};
  std::memcpy(mine.data(), from, static_cast<std::size_t>(n) * 4);
  const auto all = all_lanes(mine, RAFTER_SIMT_HERE);
  if (static_cast<int>(lane()) >= 8 * n) return;
  touch(row, true, RAFTER_SIMT_HERE);
  for (unsigned t = 0; t < 4; ++t)
    std::memcpy(static_cast<std::byte*>(row) + 4 * t, &all[lane() % 8 * 4 + t][lane() / 8], 4);
}

RAFTER_SIMT_EXPORT void rafter_simt_mma(rafter_simt::MmaType type, float* d, const unsigned* a, const unsigned* b) {
  if (!rafter_simt_now.inside) return;
  const auto lanes = all_lanes(Operands{{a[0], a[1], a[2], a[3]}, {b[0], b[1]}}, RAFTER_SIMT_HERE);
  const unsigned g = lane() / 4, t = lane() % 4;
  for (unsigned i = 0; i < 4; ++i) d[i] = product(type, lanes, g + 8 * (i / 2), 2 * t + i % 2, d[i]);
}

RAFTER_SIMT_EXPORT void rafter_simt_mma_half(unsigned* d, const unsigned* a, const unsigned* b) {
  if (!rafter_simt_now.inside) return;
  const auto lanes = all_lanes(Operands{{a[0], a[1], a[2], a[3]}, {b[0], b[1]}}, RAFTER_SIMT_HERE);
  const unsigned g = lane() / 4, t = lane() % 4;
  for (unsigned i = 0; i < 2; ++i) {
    unsigned pair = 0;
    for (unsigned e = 0; e < 2; ++e) {
      const float sum = half_value(static_cast<std::uint16_t>(d[i] >> 16 * e));
      pair |= static_cast<unsigned>(half_bits(product(rafter_simt::MmaType::half, lanes, g + 8 * i, 2 * t + e, sum)))
              << 16 * e;
    }
    d[i] = pair;
  }
}

RAFTER_SIMT_EXPORT unsigned rafter_simt_to_tf32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits & 0x7f800000u) == 0x7f800000u ? bits : (bits + 0x1000u) & 0xffffe000u;
}

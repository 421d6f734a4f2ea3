// Jumps in the sequences of XORWOW and MRG32k3a: both are linear, so a jump multiplies the state by a power of a
// matrix. The powers whose exponents are powers of two are computed when they are first needed.
#include <array>
#include <cstdint>
#include <vector>

#include "rafter_simt/rand/states.hpp"

namespace {

// XORWOW: the state is a vector of 160 bits, and a matrix is the images of the unit vectors.
using Bits = std::array<std::uint32_t, 5>;
using BitMatrix = std::vector<Bits>;
constexpr unsigned n_bits = 160, log_subsequence = 67, n_exponents = 64;

Bits times(const BitMatrix& matrix, const Bits& vector) {
  Bits result{};
  for (unsigned i = 0; i < n_bits; ++i) {
    const std::uint32_t mask = 0u - (vector[i / 32] >> i % 32 & 1);
    for (unsigned word = 0; word < 5; ++word) result[word] ^= matrix[i][word] & mask;
  }
  return result;
}

/// The powers of the step's matrix with exponents 2^0, 2^1, ...
std::vector<BitMatrix> xorwow_powers() {
  BitMatrix step(n_bits);
  for (unsigned i = 0; i < n_bits; ++i) {
    unsigned counter = 0;
    step[i][i / 32] = 1u << i % 32;
    rafter_simt::rand::next_xorwow(&counter, step[i].data());
  }
  std::vector<BitMatrix> powers{step};
  while (powers.size() < log_subsequence + n_exponents) {
    const BitMatrix& last = powers.back();
    BitMatrix square(n_bits);
    for (unsigned i = 0; i < n_bits; ++i) square[i] = times(last, last[i]);
    powers.push_back(std::move(square));
  }
  return powers;
}

// MRG32k3a: two vectors of three numbers, each with its modulus.
using Vector3 = std::array<std::uint64_t, 3>;
using Matrix3 = std::array<Vector3, 3>;
constexpr unsigned n_mrg_powers = 127 + n_exponents;

Vector3 times(const Matrix3& matrix, const Vector3& vector, std::uint64_t modulus) {
  Vector3 result{};
  for (unsigned i = 0; i < 3; ++i) {
    for (unsigned j = 0; j < 3; ++j) result[i] = (result[i] + matrix[i][j] * vector[j] % modulus) % modulus;
  }
  return result;
}

std::vector<Matrix3> mrg_powers(const Matrix3& step, std::uint64_t modulus) {
  std::vector<Matrix3> powers{step};
  while (powers.size() < n_mrg_powers) {
    const Matrix3& last = powers.back();
    Matrix3 square{};
    for (unsigned j = 0; j < 3; ++j) {
      const Vector3 column = times(last, {last[0][j], last[1][j], last[2][j]}, modulus);
      for (unsigned i = 0; i < 3; ++i) square[i][j] = column[i];
    }
    powers.push_back(square);
  }
  return powers;
}

}  // namespace

void rafter_simt_xorwow_skip(unsigned* words, unsigned long long n, unsigned subsequences) {
  if (n == 0) return;
  static const std::vector<BitMatrix> powers = xorwow_powers();
  Bits state{words[0], words[1], words[2], words[3], words[4]};
  for (unsigned i = 0; n != 0; ++i, n >>= 1) {
    if (n & 1) state = times(powers[(subsequences != 0 ? log_subsequence : 0) + i], state);
  }
  for (unsigned i = 0; i < 5; ++i) words[i] = state[i];
}

void rafter_simt_mrg32k3a_skip(unsigned* words, unsigned long long n, unsigned log_elements) {
  if (n == 0) return;
  using rafter_simt::rand::mrg_modulus1;
  using rafter_simt::rand::mrg_modulus2;
  static const std::vector<Matrix3> first =
      mrg_powers({{{0, 1, 0}, {0, 0, 1}, {mrg_modulus1 - 810728, 1403580, 0}}}, mrg_modulus1);
  static const std::vector<Matrix3> second =
      mrg_powers({{{0, 1, 0}, {0, 0, 1}, {mrg_modulus2 - 1370589, 0, 527612}}}, mrg_modulus2);
  Vector3 s1{words[0], words[1], words[2]}, s2{words[3], words[4], words[5]};
  for (unsigned i = log_elements; n != 0; ++i, n >>= 1) {
    if ((n & 1) == 0) continue;
    s1 = times(first[i], s1, mrg_modulus1);
    s2 = times(second[i], s2, mrg_modulus2);
  }
  for (unsigned i = 0; i < 3; ++i) {
    words[i] = static_cast<unsigned>(s1[i]);
    words[3 + i] = static_cast<unsigned>(s2[i]);
  }
}

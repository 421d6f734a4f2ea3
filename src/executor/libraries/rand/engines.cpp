#include "executor/libraries/rand/generator.hpp"

namespace rafter::simt::random {
namespace {

namespace rand = ::rafter_simt::rand;

/// XORWOW: 4096 subsequences.
class Xorwow final : public Engine {
 public:
  unsigned n_subsequences() const override { return 4096; }
  Turn turn(Distribution distribution) const override {
    switch (distribution) {
      case Distribution::uniform_double: return {2, 1};
      case Distribution::normal: return {2, 2};
      case Distribution::normal_double: return {4, 2};
      default: return {1, 1};
    }
  }
  void start(std::uint64_t seed, const std::vector<std::uint64_t>& words) override {
    curandStateXORWOW_t first;
    curand_init(seed, 0, 0, &first);
    states_.clear();
    for (unsigned i = 0; i < n_subsequences(); ++i) {
      states_.push_back(first);
      skipahead(words[i], &states_.back());
      skipahead_sequence(1, &first);
    }
  }
  void words(unsigned subsequence, unsigned n, bool takes, unsigned* to) override {
    curandStateXORWOW_t state = states_[subsequence];
    for (unsigned i = 0; i < n; ++i) to[i] = curand(&state);
    if (takes) states_[subsequence] = state;
  }

 private:
  std::vector<curandStateXORWOW_t> states_;
};

/// MRG32k3a: 81920 subsequences of 2^76 numbers. Its words are the numbers before they are scaled.
class Mrg32k3a final : public Engine {
 public:
  unsigned n_subsequences() const override { return 81920; }
  Turn turn(Distribution distribution) const override {
    const bool is_pair = distribution == Distribution::normal || distribution == Distribution::normal_double;
    return is_pair ? Turn{2, 2} : Turn{1, 1};
  }
  void start(std::uint64_t seed, const std::vector<std::uint64_t>& words) override {
    curandStateMRG32k3a_t first;
    curand_init(seed, 0, 0, &first);
    states_.clear();
    for (unsigned i = 0; i < n_subsequences(); ++i) {
      states_.push_back(first);
      skipahead(words[i], &states_.back());
      skipahead_subsequence(1, &first);
    }
  }
  void words(unsigned subsequence, unsigned n, bool takes, unsigned* to) override {
    curandStateMRG32k3a_t state = states_[subsequence];
    for (unsigned i = 0; i < n; ++i) to[i] = rand::next_mrg32k3a(state.s1, state.s2);
    if (takes) states_[subsequence] = state;
  }
  bool is_mrg() const override { return true; }

 private:
  std::vector<curandStateMRG32k3a_t> states_;
};

/// Philox4_32_10: 65536 subsequences, each with four results at its turn.
class Philox final : public Engine {
 public:
  unsigned n_subsequences() const override { return 65536; }
  Turn turn(Distribution distribution) const override {
    const bool is_double = distribution == Distribution::uniform_double || distribution == Distribution::normal_double;
    return {is_double ? 8u : 4u, 4};
  }
  void start(std::uint64_t seed, const std::vector<std::uint64_t>& words) override {
    key_ = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
    taken_ = words;
  }
  void words(unsigned subsequence, unsigned n, bool takes, unsigned* to) override {
    for (unsigned i = 0; i < n; i += 4) {
      uint4 counter{0, 0, subsequence, 0};
      rand::add_blocks(&counter, (taken_[subsequence] + i) / 4);
      const uint4 block = rand::philox_block(counter, key_);
      to[i] = block.x, to[i + 1] = block.y, to[i + 2] = block.z, to[i + 3] = block.w;
    }
    if (takes) taken_[subsequence] += n;
  }

 private:
  uint2 key_{};
  std::vector<std::uint64_t> taken_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(curandRngType_t type) {
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW: return std::make_unique<Xorwow>();
    case CURAND_RNG_PSEUDO_MRG32K3A: return std::make_unique<Mrg32k3a>();
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: return std::make_unique<Philox>();
    default: return nullptr;
  }
}

}  // namespace rafter::simt::random

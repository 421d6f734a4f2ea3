// A generator of cuRAND's host API: many subsequences of one sequence, whose numbers alternate in the output, as
// NVIDIA's library arranges them in its default order.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rafter_simt/rand/distributions.hpp"
#include "rafter_simt/rand/host.hpp"

namespace rafter::simt::random {

enum class Distribution { bits, uniform, uniform_double, normal, normal_double };

/// The words that a subsequence takes at its turn, and the results that it makes of them.
struct Turn {
  unsigned n_words, n_results;
};

/// The subsequences of one kind of generator.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual unsigned n_subsequences() const = 0;
  virtual Turn turn(Distribution distribution) const = 0;
  /// Starts anew: subsequence i has taken `words[i]` words.
  virtual void start(std::uint64_t seed, const std::vector<std::uint64_t>& words) = 0;
  /// Returns the next n words of a subsequence; takes them only if `takes`.
  virtual void words(unsigned subsequence, unsigned n, bool takes, unsigned* to) = 0;
  virtual bool is_mrg() const { return false; }
};

/// Returns the engine of a generator's type, or nullptr if it is not implemented.
std::unique_ptr<Engine> make_engine(curandRngType_t type);

class Generator {
 public:
  Generator(std::unique_ptr<Engine> engine, bool is_on_host) : engine_(std::move(engine)), is_on_host_(is_on_host) {}

  void set_seed(std::uint64_t seed);
  void set_offset(std::uint64_t offset);
  void set_stream(cudaStream_t stream) { stream_ = stream; }
  cudaStream_t stream() const { return stream_; }
  bool is_on_host() const { return is_on_host_; }

  /// Writes n results: unsigned, float or double.
  template <class Result>
  void generate(Distribution distribution, Result* to, std::size_t n);

 private:
  void prepare();
  template <class Result>
  void make(Distribution distribution, const unsigned* words, Result* results) const;

  std::unique_ptr<Engine> engine_;
  bool is_on_host_;
  cudaStream_t stream_ = nullptr;
  std::uint64_t seed_ = 0, offset_ = 0;
  bool is_prepared_ = false;
  // The subsequence whose turn it is, how many results of the turn were given out, and the words that each subsequence
  // has taken.
  unsigned subsequence_ = 0, result_ = 0;
  std::vector<std::uint64_t> taken_;
};

}  // namespace rafter::simt::random

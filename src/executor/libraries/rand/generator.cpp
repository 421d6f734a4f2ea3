#include "executor/libraries/rand/generator.hpp"

#include <algorithm>

namespace rafter::simt::random {

namespace rand = ::rafter_simt::rand;

void Generator::set_offset(std::uint64_t offset) {
  offset_ = offset;
  is_prepared_ = false;
}

// The sequence of the new seed continues where that of the old one was.
void Generator::set_seed(std::uint64_t seed) {
  if (is_prepared_) {
    const unsigned n_results = engine_->turn(Distribution::bits).n_results;
    const std::uint64_t turns = taken_[subsequence_] / n_results * engine_->n_subsequences() + subsequence_;
    offset_ = turns * n_results + result_;
  }
  seed_ = seed;
  is_prepared_ = false;
}

void Generator::prepare() {
  if (is_prepared_) return;
  const unsigned n = engine_->n_subsequences(), n_results = engine_->turn(Distribution::bits).n_results;
  const std::uint64_t turns = offset_ / n_results;
  subsequence_ = static_cast<unsigned>(turns % n);
  result_ = static_cast<unsigned>(offset_ % n_results);
  taken_.assign(n, turns / n * n_results);
  for (unsigned i = 0; i < subsequence_; ++i) taken_[i] += n_results;
  engine_->start(seed_, taken_);
  is_prepared_ = true;
}

template <class Result>
void Generator::make(Distribution distribution, const unsigned* words, Result* results) const {
  const Turn turn = engine_->turn(distribution);
  const bool mrg = engine_->is_mrg();
  for (unsigned i = 0; i < turn.n_results; ++i) {
    const unsigned* const w = words + i * (turn.n_words / turn.n_results);
    switch (distribution) {
      case Distribution::bits: results[i] = static_cast<Result>(mrg ? rand::mrg_bits(*w) : *w); break;
      case Distribution::uniform:
        results[i] = static_cast<Result>(mrg ? static_cast<float>(rand::mrg_uniform(*w)) : rand::uniform(*w));
        break;
      case Distribution::uniform_double:
        results[i] = static_cast<Result>(mrg ? rand::mrg_uniform(*w) : rand::uniform_double(w[0], w[1]));
        break;
      case Distribution::normal: {
        const float2 both = mrg ? rand::mrg_normal_pair(w[0], w[1]) : rand::normal_pair(w[0], w[1]);
        results[i] = static_cast<Result>(both.x);
        results[++i] = static_cast<Result>(both.y);
        break;
      }
      case Distribution::normal_double: {
        const double2 both =
            mrg ? rand::mrg_normal_pair_double(w[0], w[1]) : rand::normal_pair_double(w[0], w[1], w[2], w[3]);
        results[i] = static_cast<Result>(both.x);
        results[++i] = static_cast<Result>(both.y);
        break;
      }
    }
  }
}

template <class Result>
void Generator::generate(Distribution distribution, Result* to, std::size_t n) {
  prepare();
  constexpr unsigned most = 8;
  const Turn turn = engine_->turn(distribution);
  unsigned words[most];
  Result results[most];
  for (std::size_t i = 0; i < n;) {
    const std::size_t n_now = std::min<std::size_t>(turn.n_results - result_, n - i);
    const bool is_over = result_ + n_now == turn.n_results;
    engine_->words(subsequence_, turn.n_words, is_over, words);
    make(distribution, words, results);
    for (std::size_t j = 0; j < n_now; ++j) to[i + j] = results[result_ + j];
    i += n_now;
    result_ = is_over ? 0 : result_ + static_cast<unsigned>(n_now);
    if (!is_over) continue;
    taken_[subsequence_] += turn.n_words;
    subsequence_ = (subsequence_ + 1) % engine_->n_subsequences();
  }
}

template void Generator::generate(Distribution, unsigned*, std::size_t);
template void Generator::generate(Distribution, float*, std::size_t);
template void Generator::generate(Distribution, double*, std::size_t);

}  // namespace rafter::simt::random

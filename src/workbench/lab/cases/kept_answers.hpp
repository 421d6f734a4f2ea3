// Stores answers that are slow to compute: once per input set, for all rungs.
#pragma once

#include <optional>
#include <vector>

#include "library/core/stream/backend.hpp"
#include "rafter/buffer.hpp"
#include "workbench/lab/data/comparator.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::lab {

/// One answer per input set, computed on first use.
template <class Answer>
class KeptAnswers {
 public:
  explicit KeptAnswers(const CaseOptions& options) : answers_(static_cast<std::size_t>(options.n_input_sets)) {}

  template <class Make>
  const Answer& of(int set, const Make& make) const {
    std::optional<Answer>& answer = answers_[static_cast<std::size_t>(set)];
    if (!answer) answer.emplace(make());
    return *answer;
  }

 private:
  mutable std::vector<std::optional<Answer>> answers_;
};

/// Stores `expected(i)` for all i of [0, n), or returns nullopt if that would take more than an eighth of the available
/// memory.
template <class Expected>
std::optional<Buffer<Expectation>> keep_expectations(const Stream& stream, std::int64_t n, const Expected& expected) {
  const Stream where = loop_stream(stream);
  const std::int64_t available = core::backend(where.device()).available_bytes();
  if (n > available / static_cast<std::int64_t>(8 * sizeof(Expectation))) return std::nullopt;
  Buffer<Expectation> kept(where, n);
  for_indices(where, n, KeepExpectation<Expected>{expected, kept.data()});
  return kept;
}

}  // namespace rafter::lab

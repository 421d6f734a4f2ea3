#include "workbench/lab/measure/report.hpp"

#include <algorithm>

namespace rafter::lab {

namespace {

/// The times of two rungs in the rounds in which both were timed.
struct Paired {
  std::vector<double> a;
  std::vector<double> b;
};
Paired paired(const Measurement& a, const Measurement& b) {
  Paired pairs;
  for (std::size_t i = 0, j = 0; i < a.rounds.size() && j < b.rounds.size();) {
    if (a.rounds[i] == b.rounds[j]) {
      pairs.a.push_back(a.samples_ns[i]);
      pairs.b.push_back(b.samples_ns[j]);
    }
    const int round = std::min(a.rounds[i], b.rounds[j]);
    i += a.rounds[i] == round ? 1 : 0;
    j += b.rounds[j] == round ? 1 : 0;
  }
  return pairs;
}

}  // namespace

double StageProfile::total_ns() const {
  double sum = 0;
  for (const StageTime& stage : stages) sum += stage.ns;
  return sum;
}

const Measurement* CaseReport::op() const {
  const Measurement* last = nullptr;
  for (const Measurement& m : rungs) {
    if (m.status == Status::verified && m.rung->kind == RungKind::rung) last = &m;
  }
  return last;
}

const Measurement* CaseReport::best_peer() const {
  const Measurement* best = nullptr;
  for (const Measurement& m : rungs) {
    if (m.status != Status::verified || m.rung->kind != RungKind::peer || m.summary.n == 0) continue;
    if (best == nullptr || m.summary.median < best->summary.median) best = &m;
  }
  return best;
}

bool CaseReport::any_wrong() const {
  return std::any_of(rungs.begin(), rungs.end(), [](const Measurement& m) {
    return m.status != Status::verified && m.status != Status::refused && m.status != Status::absent;
  });
}

Versus versus(const Measurement& own, const Measurement& other, double noise) {
  const auto [a, b] = paired(own, other);
  return judge(a, b, noise);
}

double noise_between(const Measurement& once, const Measurement& again) {
  const auto [a, b] = paired(once, again);
  return noise_of(a, b);
}

}  // namespace rafter::lab

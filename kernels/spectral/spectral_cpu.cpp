// batched: a vector of weights that a core loads serves 14 windows; groups of windows are divided among the threads.
// Few windows stay on the calling thread.
// Bound by the multiply-add units.
#include <algorithm>

#include "library/core/arithmetic.hpp"
#include "library/core/parts.hpp"
#include "library/core/stream/scratch.hpp"
#include "spectral/cpu/spectral_group.hpp"

namespace rafter::spectral_ladder::cpu {

namespace {

/// The windows of a group: whole blocks of rows in registers (library/core/cpu/panel_product.hpp). The more there are,
/// the less often weights are loaded from memory.
constexpr std::int64_t cached_group = 28, streamed_group = 56;
constexpr std::int64_t cached_weights = std::int64_t{1} << 17;  // floats that stay in a second-level cache

/// The number of multiply-adds that pays for another thread, about 20 us.
constexpr std::int64_t thread_work = std::int64_t{1} << 20;

/// The division of a batch: groups of nearly equal size, the same number for each thread.
struct Cut {
  std::int64_t batch, n_threads, n_groups;

  std::int64_t first(std::int64_t group) const { return group * batch / n_groups; }
  std::int64_t largest() const { return ceil_div(batch, n_groups); }
};

Cut cut(const Stream& stream, const GroupForward& forward, std::int64_t batch) {
  const std::int64_t worth = batch * forward.n_multiply_adds() / thread_work;
  const std::int64_t n_threads = std::max(std::min({worth, batch, std::int64_t{stream.n_threads()}}), std::int64_t{1});
  const std::int64_t most = forward.n_weights() <= cached_weights ? cached_group : streamed_group;
  const std::int64_t fitting =
      core::scratch_limit(stream) / (n_threads * forward.n_floats(1) * std::int64_t{sizeof(float)});
  const std::int64_t group = std::clamp(fitting, std::int64_t{1}, most);
  return {batch, n_threads, ceil_div(ceil_div(batch, group), n_threads) * n_threads};
}

Packing packing(const FoldedWeights&) { return Packing::panels; }

}  // namespace

extern const SpectralRung batched{[](const Stream& stream, const SpectralArgs& args) {
  if (args.batch == 0) return;
  const GroupForward forward(*args.model);
  const Cut groups = cut(stream, forward, args.batch);
  const std::int64_t n_between = forward.n_floats(groups.largest());
  const std::int64_t bytes = groups.n_threads * n_between * std::int64_t{sizeof(float)};
  auto* scratch = reinterpret_cast<float*>(core::scratch(stream, bytes));
  const core::StageCounters counters = GroupForward::begin_stages(args);
  const int n_threads = static_cast<int>(groups.n_threads);
  core::run_parts(n_threads, [&](int part) {
    for (std::int64_t i = groups.n_groups * part / n_threads; i < groups.n_groups * (part + 1) / n_threads; ++i)
      forward.run(args, groups.first(i), groups.first(i + 1) - groups.first(i), scratch + part * n_between, counters);
  });
}};

extern const SpectralOps ops{batched, packing};

}  // namespace rafter::spectral_ladder::cpu

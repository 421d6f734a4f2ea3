// batched: atoms of several molecules in the rows of products, so that a vector of weights that a core loads serves 14
// of them; groups of molecules are spread over the threads. Without a table, and in float64, one by one.
// Bound by the multiply-add units.
#include <omp.h>

#include <algorithm>

#include "core/arithmetic.hpp"
#include "forcefield/cpu/forcefield_group.hpp"
#include "forcefield/cpu/forcefield_one_by_one.hpp"

namespace rafter::forcefield_ladder::cpu {

namespace {

/// Atoms of a group of small molecules: blocks of rows in registers (core/panel_product.hpp) that are nearly full, and
/// few enough for what is between the layers to stay in a second-level cache.
constexpr std::int64_t group_atoms = 56;

struct Group {
  std::span<const std::int32_t> molecules;
  std::int64_t n_atoms;
};

/// The molecules in the batch's order, the largest first, so many together that each thread has some.
std::vector<Group> groups_of(const BatchPlan& batch, int n_threads) {
  const std::int64_t most = std::min(ceil_div(batch.n_atoms(), n_threads), group_atoms);
  const auto order = batch.order();
  std::vector<Group> groups;
  std::size_t begin = 0;
  std::int64_t n_atoms = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::int64_t n = batch.size(order[i]);
    if (i > begin && n_atoms + n > most) {
      groups.push_back({order.subspan(begin, i - begin), n_atoms});
      begin = i;
      n_atoms = 0;
    }
    n_atoms += n;
  }
  groups.push_back({order.subspan(begin), n_atoms});
  return groups;
}

/// Groups of nearly the same need for memory, over the threads.
void run_groups(const Stream& stream, const ForceFieldArgs<float>& args, std::span<const Group> groups, int n_threads) {
  std::int64_t n_between = 0;
  for (const Group& group : groups) n_between = std::max(n_between, GroupPass::n_floats(args, group.n_atoms));
  n_between = ceil_div(n_between, std::int64_t{16}) * 16;
  auto* scratch = reinterpret_cast<float*>(stream.scratch(n_threads * n_between * std::int64_t{sizeof(float)}));
  const core::StageCounters counters = GroupPass::begin_stages(args);
#pragma omp parallel num_threads(n_threads)
  {
    GroupPass pass(args, counters);
#pragma omp for schedule(dynamic)
    for (std::int64_t i = 0; i < std::ssize(groups); ++i)
      pass.run(groups[static_cast<std::size_t>(i)].molecules, scratch + omp_get_thread_num() * n_between);
  }
}

void run_batch(const Stream& stream, const ForceFieldArgs<float>& args) {
  const std::vector<Group> groups = groups_of(*args.batch, stream.n_threads());
  run_groups(stream, args, groups, static_cast<int>(std::min<std::int64_t>(std::ssize(groups), stream.n_threads())));
}

}  // namespace

extern const ForceFieldRung batched{[]<class T>(const Stream& stream, const ForceFieldArgs<T>& args) {
  if constexpr (std::is_same_v<T, float>) {
    if (args.model->packed() != nullptr && args.batch->n_molecules() > 0) return run_batch(stream, args);
  }
  compute_one_by_one(args, stream.n_threads());
}};

}  // namespace rafter::forcefield_ladder::cpu

// batched: the rows of a product are atoms of several molecules, so that a loaded vector of weights serves 14 of them;
// groups of molecules are divided among the threads. Without a table, and in float64, molecules are computed one by
// one. Bound by the multiply-add units.
#include <algorithm>

#include "forcefield/cpu/forcefield_group.hpp"
#include "forcefield/cpu/forcefield_one_by_one.hpp"
#include "library/core/arithmetic.hpp"
#include "library/core/parts.hpp"
#include "library/core/stream/scratch.hpp"

namespace rafter::forcefield_ladder::cpu {

namespace {

/// The number of atoms of a group of small molecules: whole blocks of rows in registers
/// (library/core/cpu/panel_product.hpp). With twice as many, a block of channels does not stay in the L1 (1.1x slower);
/// with half as many, pairs share fewer intervals.
constexpr std::int64_t group_atoms = 56;

struct Group {
  std::span<const std::int32_t> molecules;
  std::int64_t n_atoms;
};

/// Divides the molecules, in the batch's order (the largest first), into groups so that each thread has some.
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

std::int64_t bytes_of(const ForceFieldArgs<float>& args, const Group& group) {
  return ceil_div(GroupPass::n_floats(args, group.n_atoms), std::int64_t{16}) * 16 * std::int64_t{sizeof(float)};
}

/// Runs groups on the threads; the first group needs the most memory.
void run_groups(const Stream& stream, const ForceFieldArgs<float>& args, std::span<const Group> groups, int n_threads) {
  const std::int64_t bytes = bytes_of(args, groups.front());
  std::byte* const scratch = core::scratch(stream, n_threads * bytes);
  const core::StageCounters counters = GroupPass::begin_stages(args);
  struct Worker {
    GroupPass pass;
    float* between;
  };
  core::share_out(
      n_threads, std::ssize(groups),
      [&](int part) {
        return Worker{GroupPass(args, counters), reinterpret_cast<float*>(scratch + part * bytes)};
      },
      [&](Worker& worker, std::int64_t i) {
        worker.pass.run(groups[static_cast<std::size_t>(i)].molecules, worker.between);
      });
}

/// Runs all molecules on as many threads as memory allows: fewer for large molecules, then all for the others.
void run_batch(const Stream& stream, const ForceFieldArgs<float>& args) {
  std::vector<Group> groups = groups_of(*args.batch, stream.n_threads());
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.n_atoms > b.n_atoms; });
  for (std::span<const Group> left(groups); !left.empty();) {
    const std::int64_t limit = core::scratch_limit(stream),
                       wanted = std::min(std::ssize(left), std::int64_t{stream.n_threads()});
    const std::int64_t fitting = std::clamp(limit / bytes_of(args, left.front()), std::int64_t{1}, wanted);
    const auto fits_all = [&](const Group& group) { return bytes_of(args, group) * wanted <= limit; };
    const auto n = fitting == wanted
                       ? left.size()
                       : static_cast<std::size_t>(std::find_if(left.begin(), left.end(), fits_all) - left.begin());
    run_groups(stream, args, left.first(n), static_cast<int>(fitting));
    left = left.subspan(n);
  }
}

}  // namespace

extern const ForceFieldRung batched{[]<class T>(const Stream& stream, const ForceFieldArgs<T>& args) {
  if constexpr (std::is_same_v<T, float>) {
    if (args.model->packed() != nullptr && args.batch->n_molecules() > 0) return run_batch(stream, args);
  }
  compute_one_by_one(args, stream.n_threads());
}};

}  // namespace rafter::forcefield_ladder::cpu

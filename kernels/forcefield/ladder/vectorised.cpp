// vectorised: one molecule after the other on one thread, channels in the lanes of vectors, filters from a table.
// Bound by the L3: every molecule reads all weights.
#include "forcefield/cpu/forcefield_group.hpp"
#include "forcefield/cpu/forcefield_one_by_one.hpp"
#include "library/core/stream/scratch.hpp"

namespace rafter::forcefield_ladder::cpu {

extern const ForceFieldRung vectorised{[]<class T>(const Stream& stream, const ForceFieldArgs<T>& args) {
  if constexpr (std::is_same_v<T, float>) {
    if (args.model->packed() != nullptr) {
      std::int64_t n_between = 0;
      for (std::int64_t m = 0; m < args.batch->n_molecules(); ++m)
        n_between = std::max(n_between, GroupPass::n_floats(args, args.batch->size(m)));
      auto* between = reinterpret_cast<float*>(core::scratch(stream, n_between * std::int64_t{sizeof(float)}));
      GroupPass pass(args, GroupPass::begin_stages(args));
      for (const std::int32_t& molecule : args.batch->order()) pass.run(std::span(&molecule, 1), between);
      return;
    }
  }
  compute_one_by_one(args, 1);
}};

}  // namespace rafter::forcefield_ladder::cpu

#include "forcefield/cpu/forcefield_one_by_one.hpp"

#include "forcefield/reference/forcefield_reference.hpp"
#include "library/core/parts.hpp"

namespace rafter::forcefield_ladder::cpu {

template <class T>
void compute_one_by_one(const ForceFieldArgs<T>& args, int n_threads) {
  const BatchPlan& batch = *args.batch;
  const ModelView model = args.model->view_without_table();
  struct Worker {
    ForceFieldReference<T> reference;
    EdgeList<T> edges;
    std::vector<T> gradient;
  };
  const auto compute = [&](Worker& worker, std::int64_t i) {
    auto& [reference, edges, gradient] = worker;
    const std::int64_t m = batch.order()[static_cast<std::size_t>(i)];
    const std::int64_t first = batch.first(m), n_atoms = batch.size(m);
    find_edges(args.positions + 3 * first, n_atoms, model.cutoff, batch.cell(m), edges);
    gradient.resize(static_cast<std::size_t>(3 * n_atoms));
    double* virial = args.virials == nullptr ? nullptr : args.virials + 9 * m;
    const T nothing = nothing_of(args.positions + 3 * first, 3 * n_atoms);
    args.energies[m] =
        static_cast<double>(nothing) + reference.run(batch.elements() + first, n_atoms, edges,
                                                     args.forces == nullptr ? nullptr : gradient.data(), virial);
    for (std::int64_t k = 0; args.forces != nullptr && k < 3 * n_atoms; ++k)
      args.forces[3 * first + k] = nothing - gradient[static_cast<std::size_t>(k)];
    for (std::int64_t k = 0; virial != nullptr && k < 9; ++k) virial[k] = static_cast<double>(nothing) - virial[k];
  };
  core::share_out(
      n_threads, batch.n_molecules(),
      [&] {
        return Worker{ForceFieldReference<T>(model), {}, {}};
      },
      compute);
}

template void compute_one_by_one(const ForceFieldArgs<float>&, int);
template void compute_one_by_one(const ForceFieldArgs<double>&, int);

}  // namespace rafter::forcefield_ladder::cpu

// Energies, forces and virials in float64: the reference that rungs are compared with.
#pragma once

#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "forcefield/forcefield_inputs.hpp"
#include "forcefield/forcefield_rung.hpp"
#include "forcefield/model/forcefield_model.hpp"
#include "forcefield/reference/forcefield_reference.hpp"
#include "library/core/parts.hpp"

namespace rafter::forcefield_ladder {

#ifdef RAFTER_WITH_CUDA
namespace cuda {
extern const ForceFieldRung per_op;
}
#endif

struct ExactResults {
  Buffer<double> energies, forces, virials;
};

/// The reference results of a batch of molecules.
class Exact {
 public:
  Exact(const ForceFieldWeights& weights, const ForceFieldNetwork& model, const BatchPlan& batch,
        const Geometries& geometries)
      : weights_(weights), model_(model), batch_(batch), geometries_(geometries) {}

  /// Returns the results in the memory of the stream's device, a CPU or a GPU. Many molecules on a GPU are computed
  /// there, by per_op in float64: the conformance test compares that rung with the host, and this function compares
  /// some molecules of the first set again.
  ExactResults on(const Stream& stream, [[maybe_unused]] int set) const {
#ifdef RAFTER_WITH_CUDA
    constexpr std::int64_t n_held = 16;
    if (stream.device() == Device::cuda && batch_.n_molecules() > 4 * n_held) {
      ExactResults results = calculate_on_gpu(stream);
      if (set == 0) hold_against_host(results, n_held);
      return results;
    }
#endif
    std::vector<std::int64_t> all(static_cast<std::size_t>(batch_.n_molecules()));
    std::iota(all.begin(), all.end(), 0);
    const HostResults host = calculate_on_host(all);
    ExactResults results = results_in(stream);
    results.energies.copy_from(host.energies);
    results.forces.copy_from(host.forces);
    results.virials.copy_from(host.virials);
    return results;
  }

 private:
  struct HostResults {
    std::vector<double> energies, forces, virials;
  };

  HostResults host_results() const {
    const auto n_molecules = static_cast<std::size_t>(batch_.n_molecules());
    return {std::vector<double>(n_molecules), std::vector<double>(geometries_.positions.size()),
            std::vector<double>(9 * n_molecules)};
  }
  ExactResults results_in(const Stream& where) const {
    return {{where, batch_.n_molecules()}, {where, 3 * batch_.n_atoms()}, {where, 9 * batch_.n_molecules()}};
  }

  /// Computes the results of these molecules on the host.
  HostResults calculate_on_host(std::span<const std::int64_t> molecules) const {
    HostResults results = host_results();
    const std::vector<float> arrays = tensor_arrays(weights_);
    const ModelView model = view_of(weights_.shape, arrays.data());
    struct Worker {
      ForceFieldReference<double> reference;
      EdgeList<double> edges;
    };
    const auto compute = [&](Worker& worker, std::int64_t i) {
      auto& [reference, edges] = worker;
      const std::int64_t m = molecules[static_cast<std::size_t>(i)], first = batch_.first(m), n = batch_.size(m);
      find_edges(geometries_.positions.data() + 3 * first, n, model.cutoff, batch_.cell(m), edges);
      double* forces = results.forces.data() + 3 * first;
      double* virial = results.virials.data() + 9 * m;
      results.energies[static_cast<std::size_t>(m)] =
          reference.run(batch_.elements() + first, n, edges, forces, virial);
      for (std::int64_t k = 0; k < 3 * n; ++k) forces[k] = -forces[k];
      for (int k = 0; k < 9; ++k) virial[k] = -virial[k];
    };
    core::share_out(
        core::default_threads(), std::ssize(molecules),
        [&] {
          return Worker{ForceFieldReference<double>(model), {}};
        },
        compute);
    return results;
  }

#ifdef RAFTER_WITH_CUDA
  ExactResults calculate_on_gpu(const Stream& stream) const {
    const Stream own = Stream::on(Device::cuda, stream.ordinal());  // its scratch memory is freed with it
    const Buffer<double> positions(own, geometries_.positions);
    ExactResults results = results_in(stream);
    const ForceFieldArgs<double> args{.model = &model_,
                                      .batch = &batch_,
                                      .positions = positions.data(),
                                      .energies = results.energies.data(),
                                      .forces = results.forces.data(),
                                      .virials = results.virials.data()};
    cuda::per_op(own, args);
    own.synchronize();
    return results;
  }

  /// Returns `n` molecules spread over the batch: the first, the last, and others between them.
  void hold_against_host(const ExactResults& results, std::int64_t n) const {
    std::vector<std::int64_t> some;
    for (std::int64_t i = 0; i < n; ++i) some.push_back(i * (batch_.n_molecules() - 1) / (n - 1));
    const HostResults host = calculate_on_host(some);
    HostResults gpu = host_results();
    results.energies.copy_to(gpu.energies);
    results.forces.copy_to(gpu.forces);
    results.virials.copy_to(gpu.virials);
    for (const std::int64_t m : some) {
      hold(gpu.energies, host.energies, m, 1);
      hold(gpu.forces, host.forces, 3 * batch_.first(m), 3 * batch_.size(m));
      hold(gpu.virials, host.virials, 9 * m, 9);
    }
  }

  static void hold(const std::vector<double>& gpu, const std::vector<double>& host, std::int64_t first,
                   std::int64_t size) {
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(first + size); ++i) {
      if (!(std::abs(gpu[i] - host[i]) <= 1e-8 * (1 + std::abs(host[i]))))
        throw Error(ErrorCode::device_failure,
                    "forcefield: what per_op calculates in float64 is not what the host does: " +
                        std::to_string(gpu[i]) + ", not " + std::to_string(host[i]));
    }
  }
#endif

  const ForceFieldWeights& weights_;
  [[maybe_unused]] const ForceFieldNetwork& model_;  // unused without CUDA
  const BatchPlan& batch_;
  const Geometries& geometries_;
};

}  // namespace rafter::forcefield_ladder

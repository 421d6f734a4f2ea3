// ForceField and MoleculeBatch: check their arguments and run the op of the stream's device.
#include <string>

#include "forcefield/model/forcefield_model.hpp"
#include "library/core/arguments.hpp"
#include "library/core/error_origin.hpp"
#include "library/core/stream/op_scope.hpp"

namespace rafter {

class MoleculeBatch::Plan : public forcefield_ladder::BatchPlan {
  using BatchPlan::BatchPlan;
};

class ForceField::Model : public forcefield_ladder::ForceFieldNetwork {
  using ForceFieldNetwork::ForceFieldNetwork;
};

namespace {

using forcefield_ladder::BatchPlan;
using forcefield_ladder::ForceFieldNetwork;

constexpr const char* op = "ForceField::compute";

void require_device(const char* what, const Stream& stream, const Stream& other) {
  if (stream.device() == other.device() && stream.ordinal() == other.ordinal()) return;
  core::refuse(op, "stream",
               std::string("must be on the device of the ") + what + ", " + std::string(name(other.device())) + " " +
                   std::to_string(other.ordinal()));
}

template <class T>
void require_results(const Stream& stream, const ForceFieldResults<T>& results, DeviceSpan<const T> positions,
                     const BatchPlan& batch) {
  core::require_size(op, "positions", positions, 3 * batch.n_atoms());
  core::require_size(op, "energies", results.energies, batch.n_molecules());
  if (!results.forces.empty()) core::require_size(op, "forces", results.forces, 3 * batch.n_atoms());
  if (!results.virials.empty()) core::require_size(op, "virials", results.virials, 9 * batch.n_molecules());
  core::require_array(stream, op, "positions", positions);
  core::require_array(stream, op, "energies", results.energies);
  core::require_array(stream, op, "forces", results.forces);
  core::require_array(stream, op, "virials", results.virials);
  const auto& [energies, forces, virials] = results;
  core::require_disjoint(op, "positions", positions, "energies", energies);
  core::require_disjoint(op, "positions", positions, "forces", forces);
  core::require_disjoint(op, "positions", positions, "virials", virials);
  core::require_disjoint(op, "energies", energies, "forces", forces);
  core::require_disjoint(op, "energies", energies, "virials", virials);
  core::require_disjoint(op, "forces", forces, "virials", virials);
}

template <class T>
void run(const Stream& stream, const ForceFieldNetwork& model, const BatchPlan& batch, DeviceSpan<const T> positions,
         const ForceFieldResults<T>& results) {
  require_results(stream, results, positions, batch);
  require_device("model", stream, model.stream());
  require_device("batch", stream, batch.stream());
  if (batch.largest_element() >= model.shape().elements)
    core::refuse(op, "batch",
                 "has the atomic number " + std::to_string(batch.largest_element()) + "; the model has 0 to " +
                     std::to_string(model.shape().elements - 1));
  if (batch.n_molecules() == 0) return;
  const forcefield_ladder::ForceFieldArgs<T> args{
      .model = &model,
      .batch = &batch,
      .positions = positions.data(),
      .energies = results.energies.data(),
      .forces = results.forces.empty() ? nullptr : results.forces.data(),
      .virials = results.virials.empty() ? nullptr : results.virials.data()};
  core::in_op(op, [&] {
    const core::OpScope scope(stream);
    forcefield_ladder::op_of(stream)(stream, args);
  });
}

}  // namespace

MoleculeBatch::MoleculeBatch(const Stream& stream, std::span<const std::int64_t> sizes,
                             std::span<const std::int32_t> elements, std::span<const UnitCell> cells)
    : plan_(std::make_shared<Plan>(stream, sizes, elements, cells)) {}

void MoleculeBatch::set_cells(std::span<const UnitCell> cells) {
  constexpr const char* set_op = "MoleculeBatch::set_cells";
  core::in_op(set_op, "cells", [&] {
    forcefield_ladder::require_cells(set_op, cells, n_molecules());
    forcefield_ladder::require_no_capture(set_op, plan_->stream());
    if (plan_.use_count() == 1 && plan_->is_like(cells)) return plan_->replace_cells(cells);
    plan_ = std::make_shared<Plan>(*plan_, cells);
  });
}

std::int64_t MoleculeBatch::n_molecules() const noexcept { return plan_->n_molecules(); }
std::int64_t MoleculeBatch::n_atoms() const noexcept { return plan_->n_atoms(); }

ForceField::ForceField(const Stream& stream, const ForceFieldWeights& weights, const ForceFieldOptions& options)
    : model_(std::make_shared<const Model>(stream, weights, options)) {}

const ForceFieldShape& ForceField::shape() const noexcept { return model_->shape(); }
const ForceFieldProperties& ForceField::properties() const noexcept { return model_->properties(); }

void ForceField::compute(const Stream& stream, const MoleculeBatch& batch, DeviceSpan<const float> positions,
                         const ForceFieldResults<float>& results) const {
  run(stream, *model_, *batch.plan_, positions, results);
}

void ForceField::compute(const Stream& stream, const MoleculeBatch& batch, DeviceSpan<const double> positions,
                         const ForceFieldResults<double>& results) const {
  run(stream, *model_, *batch.plan_, positions, results);
}

}  // namespace rafter

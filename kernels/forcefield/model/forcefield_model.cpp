// Models: copies the tensors to a device, builds the table if it is accurate enough, and reports the model's
// properties.
#include "forcefield/model/forcefield_model.hpp"

#include <string>

#include "forcefield/cpu/forcefield_packed.hpp"
#include "forcefield/model/forcefield_weights.hpp"
#include "library/core/dispatch.hpp"

namespace rafter::forcefield_ladder {

namespace {

ForceFieldProperties properties_of(const ForceFieldWeights& weights) {
  const bool is_painn = weights.shape.model == ForceFieldModel::painn;
  ForceFieldProperties properties{
      .n_parameters = n_values(weights) - std::ssize(weights.radial_centre) - std::ssize(weights.radial_width),
      .is_rotation_equivariant = is_painn,
      .is_continuous_at_cutoff = is_painn};
  if (!is_painn) {
    properties.warnings = {
        "not rotation equivariant: a 3x3 matrix mixes the axes, so energies depend on a molecule's orientation",
        "not continuous at the cutoff: the filters' biases are not cut off, so energies jump when a pair crosses it",
        "not smooth where the directions to neighbours cancel: the length of a vector near 0 has no derivative, so "
        "forces "
        "there are rounding noise, of up to 31 eV/Angstrom for the carbon of CH4"};
  }
  return properties;
}

Buffer<float> copy_of(const Stream& stream, const std::vector<float>& values) {
  Buffer<float> buffer(stream, std::ssize(values));
  buffer.copy_from(values);
  return buffer;
}

const ForceFieldWeights& checked(const ForceFieldWeights& weights) {
  require_forcefield_weights("ForceField", weights);
  return weights;
}

}  // namespace

ForceFieldNetwork::ForceFieldNetwork(const Stream& stream, const ForceFieldWeights& weights,
                                     const ForceFieldOptions& options)
    : shape_(checked(weights).shape), properties_(properties_of(weights)), tensors_(stream, 0), table_(stream, 0) {
  const std::vector<float> arrays = tensor_arrays(weights);
  tensors_ = copy_of(stream, arrays);
  if (options.filters == ForceFieldFilters::exact) return;
  const bool is_packed = stream.device() == Device::cpu;
  const FilterTable table =
      make_table(view_of(shape_, arrays.data()), is_packed ? TableDegree::quintic : TableDegree::cubic);
  const bool meets = table.error <= table_tolerance;
  if (!meets && options.filters == ForceFieldFilters::tabulated)
    throw Error(ErrorCode::unsupported,
                "ForceField: a table of " + std::to_string(table.n_intervals) + " intervals is off by " +
                    std::to_string(table.error) + " of these filters, more than 1e-6; use exact filters",
                "ForceField", "filters");
  if (!meets) return;
  properties_.filters = ForceFieldFilters::tabulated;
  properties_.table_error = table.error;
  if (is_packed) {
    packed_ = std::make_shared<const cpu::PackedForceField>(stream, view_without_table(), table);
    return;
  }
  n_intervals_ = table.n_intervals;
  table_ = copy_of(stream, table.coefficients);
}

ModelView ForceFieldNetwork::view_without_table() const { return view_of(shape_, tensors_.data()); }

ModelView ForceFieldNetwork::view() const {
  ModelView view = view_without_table();
  if (n_intervals_ > 0) {
    view.table = table_.data();
    view.n_intervals = n_intervals_;
  }
  return view;
}

const ForceFieldRung& op_of(const Stream& stream) {
  if (stream.device() == Device::cpu) return cpu::batched;
  if constexpr (core::has_cuda) {
    if (stream.device() == Device::cuda) return cuda::by_size;
  }
  if (stream.device() == Device::simt && &simt::by_size != nullptr) return simt::by_size;
  throw Error(ErrorCode::unsupported,
              "ForceField: this program has no implementation for device " + std::string(name(stream.device())),
              "ForceField", "stream");
}

}  // namespace rafter::forcefield_ladder

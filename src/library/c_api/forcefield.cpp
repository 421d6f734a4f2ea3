// Force fields and batches of molecules.
#include "rafter/forcefield.hpp"

#include <utility>
#include <vector>

#include "library/c_api/model_files.hpp"
#include "library/c_api/tensors.hpp"

struct rafter_forcefield {
  rafter::ForceField model;
};

struct rafter_molecules {
  rafter::MoleculeBatch batch;
};

namespace rafter::c_api {

namespace {

ForceFieldOptions forcefield_options(const Function& function, std::int32_t filters) {
  return {enumerator(function, "filters", filters, ForceFieldFilters::tabulated)};
}

template <class T>
std::span<const T> host_array(const Function& function, const char* argument, const T* data, std::int64_t n) {
  if (n > 0) required(function, argument, data);
  return {data, static_cast<std::size_t>(n)};
}

std::vector<UnitCell> cells_of(const Function& function, const rafter_unit_cell* cells, std::int64_t n) {
  std::vector<UnitCell> all;
  if (cells == nullptr) return all;
  for (std::int64_t i = 0; i < n; ++i) {
    require_reserved(function, "cells", cells[i].reserved);
    UnitCell& cell = all.emplace_back();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t k = 0; k < 3; ++k) cell.vectors[axis][k] = cells[i].vectors[axis][k];
      cell.is_periodic[axis] = cells[i].is_periodic[axis] != 0;
    }
  }
  return all;
}

}  // namespace

}  // namespace rafter::c_api

namespace c = rafter::c_api;

rafter_status rafter_forcefield_load(const rafter_stream* stream, const char* path, int32_t filters,
                                     rafter_forcefield** model) noexcept {
  return c::created(c::Function("rafter_forcefield_load"), "model", model, [&](const c::Function& function) {
    const rafter::Stream& on = c::stream_of(function, stream);
    const rafter::ForceFieldOptions options = c::forcefield_options(function, filters);
    return rafter::ForceField(on, rafter::read_forcefield_weights(&c::required(function, "path", path)), options);
  });
}

rafter_status rafter_forcefield_parse(const rafter_stream* stream, const void* file, int64_t bytes, const char* name,
                                      int32_t filters, rafter_forcefield** model) noexcept {
  return c::created(c::Function("rafter_forcefield_parse"), "model", model, [&](const c::Function& function) {
    const rafter::Stream& on = c::stream_of(function, stream);
    const rafter::ForceFieldOptions options = c::forcefield_options(function, filters);
    const auto weights = rafter::parse_forcefield_weights(c::file_in_memory(function, file, bytes),
                                                          &c::required(function, "name", name));
    return rafter::ForceField(on, weights, options);
  });
}

void rafter_forcefield_destroy(rafter_forcefield* model) noexcept { delete model; }

rafter_status rafter_forcefield_get_properties(const rafter_forcefield* model,
                                               rafter_forcefield_properties* properties) noexcept {
  return c::guarded(c::Function("rafter_forcefield_get_properties"), [&](const c::Function& function) {
    const rafter::ForceField& of = c::required(function, "model", model).model;
    const rafter::ForceFieldProperties& known = of.properties();
    c::write_struct(function, "properties", properties, sizeof(rafter_forcefield_properties),
                    rafter_forcefield_properties{.struct_size = 0,
                                                 .n_parameters = known.n_parameters,
                                                 .n_elements = of.shape().elements,
                                                 .cutoff = of.shape().cutoff,
                                                 .table_error = known.table_error,
                                                 .is_rotation_equivariant = known.is_rotation_equivariant,
                                                 .is_continuous_at_cutoff = known.is_continuous_at_cutoff,
                                                 .filters = static_cast<std::int32_t>(known.filters),
                                                 .n_warnings = static_cast<std::int32_t>(known.warnings.size())});
  });
}

const char* rafter_forcefield_warning(const rafter_forcefield* model, int32_t i) noexcept {
  if (model == nullptr || i < 0) return nullptr;
  const auto& warnings = model->model.properties().warnings;
  return static_cast<std::size_t>(i) < warnings.size() ? warnings[static_cast<std::size_t>(i)].c_str() : nullptr;
}

rafter_status rafter_molecules_create(const rafter_stream* stream, int64_t n_molecules, const int64_t* sizes,
                                      int64_t n_atoms, const int32_t* elements, const rafter_unit_cell* cells,
                                      rafter_molecules** molecules) noexcept {
  return c::created(c::Function("rafter_molecules_create", "MoleculeBatch"), "molecules", molecules,
                    [&](const c::Function& function) {
                      const rafter::Stream& on = c::stream_of(function, stream);
                      for (const auto& [argument, n] : {std::pair("n_molecules", n_molecules), {"n_atoms", n_atoms}})
                        if (n < 0) c::refuse(function, argument, "should be 0 or more, is " + std::to_string(n));
                      const auto all_sizes = c::host_array(function, "sizes", sizes, n_molecules);
                      const auto all_elements = c::host_array(function, "elements", elements, n_atoms);
                      return rafter::MoleculeBatch(on, all_sizes, all_elements,
                                                   c::cells_of(function, cells, n_molecules));
                    });
}

void rafter_molecules_destroy(rafter_molecules* molecules) noexcept { delete molecules; }

rafter_status rafter_forcefield_compute(const rafter_stream* stream, const rafter_forcefield* model,
                                        const rafter_molecules* molecules, const rafter_tensor* positions,
                                        const rafter_tensor* energies, const rafter_tensor* forces,
                                        const rafter_tensor* virials) noexcept {
  return c::guarded(c::Function("rafter_forcefield_compute", "ForceField::compute"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    const rafter::ForceField& field = c::required(function, "model", model).model;
    const rafter::MoleculeBatch& batch = c::required(function, "molecules", molecules).batch;
    const std::int64_t n = batch.n_molecules(), n_atoms = batch.n_atoms();
    given.for_type(rafter::Types<float, double>{}, "positions", positions, [&]<class T>() {
      const auto at = given.array<const T>("positions", positions, {n_atoms, 3});
      const rafter::ForceFieldResults<T> results{
          .energies = given.optional_array<double>("energies", energies, {n}),
          .forces = given.optional_array<T>("forces", forces, {n_atoms, 3}),
          .virials = given.optional_array<double>("virials", virials, {n, 3, 3})};
      field.compute(given.stream(), batch, at, results);
    });
  });
}

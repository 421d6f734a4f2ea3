// The interface of forcefield's rungs: their arguments.
#pragma once

#include <cstdint>

#include "forcefield/batch/forcefield_batch.hpp"
#include "forcefield/model/forcefield_tensors.hpp"
#include "library/core/rung.hpp"
#include "library/core/stages.hpp"

namespace rafter::forcefield_ladder {

class ForceFieldNetwork;  // forcefield_model.hpp

template <class T>
struct ForceFieldArgs {
  const ForceFieldNetwork* model;
  const BatchPlan* batch;
  const T* positions;  // [atoms][3]
  double* energies;    // [molecules]
  T* forces;           // [atoms][3], or null
  double* virials;     // [molecules][3][3], or null
  core::Stages stages{};

  bool has_gradient() const { return forces != nullptr || virials != nullptr; }
};

using ForceFieldRung = core::RungOf<ForceFieldArgs, Types<float, double>>;

}  // namespace rafter::forcefield_ladder

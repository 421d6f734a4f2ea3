// The form of every workload_name: what a rung takes, and for which types.
#pragma once

#include <cstdint>
#include <span>

#include "library/core/dtype.hpp"
#include "library/core/rung.hpp"

namespace rafter::workload_name_ladder {

/// out[i] = factor * a[i] + b[i]
template <class T>
struct WorkloadNameArgs {
  T factor;
  std::span<const T> a;  // [n]
  std::span<const T> b;  // [n]
  std::span<T> out;      // [n]
};

/// The one list of element types: rungs, cases and the parameter dtype follow from it.
using WorkloadNameTypes = Types<float, double>;
using WorkloadNameRung = core::RungOf<WorkloadNameArgs, WorkloadNameTypes>;

}  // namespace rafter::workload_name_ladder

// The arguments of a workload_name rung and its element types.
#pragma once

#include <cstdint>
#include <span>

#include "library/core/dtype.hpp"
#include "library/core/rung.hpp"

namespace rafter::workload_name_ladder {

/// Arguments for out[i] = factor * a[i] + b[i].
template <class T>
struct WorkloadNameArgs {
  T factor;
  std::span<const T> a;  // [n]
  std::span<const T> b;  // [n]
  std::span<T> out;      // [n]
};

/// The element types; rungs, cases and the parameter dtype follow from this list.
using WorkloadNameTypes = Types<float, double>;
using WorkloadNameRung = core::RungOf<WorkloadNameArgs, WorkloadNameTypes>;

}  // namespace rafter::workload_name_ladder

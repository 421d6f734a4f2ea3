// A model as the ops use it: its tensors and table on the device, and its properties.
#pragma once

#include <memory>

#include "forcefield/forcefield_rung.hpp"
#include "forcefield/model/forcefield_table.hpp"
#include "rafter/buffer.hpp"

namespace rafter::forcefield_ladder {

namespace cpu {
class PackedForceField;  // cpu/forcefield_packed.hpp
}

class ForceFieldNetwork {
 public:
  /// Throws Error (bad_argument) if vectors do not match the shape, (unsupported) if a table was requested and does not
  /// meet the tolerance.
  ForceFieldNetwork(const Stream& stream, const ForceFieldWeights& weights, const ForceFieldOptions& options);

  const ForceFieldShape& shape() const noexcept { return shape_; }
  const ForceFieldProperties& properties() const noexcept { return properties_; }
  const Stream& stream() const noexcept { return tensors_.stream(); }
  /// The model in device memory. A CPU's table is in packed() instead.
  ModelView view() const;
  /// The model without its table, for rungs that always use exact filters.
  ModelView view_without_table() const;
  /// The tensors and the table as the CPU's loops read them; null if filters are exact.
  const cpu::PackedForceField* packed() const noexcept { return packed_.get(); }

 private:
  ForceFieldShape shape_;
  ForceFieldProperties properties_;
  Buffer<float> tensors_;
  Buffer<float> table_;  // empty if filters are exact or packed
  std::int64_t n_intervals_ = 0;
  std::shared_ptr<const cpu::PackedForceField> packed_;
};

/// The op of a stream's device. Throws Error (unsupported) if the program has none.
const ForceFieldRung& op_of(const Stream& stream);

namespace cpu {
extern const ForceFieldRung batched;
}
namespace cuda {
extern const ForceFieldRung by_size;
}
namespace simt {  // defined in programs that link the kernels for the executor
extern const ForceFieldRung by_size __attribute__((weak));
}

}  // namespace rafter::forcefield_ladder

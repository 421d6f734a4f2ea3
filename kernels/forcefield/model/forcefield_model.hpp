// A model as the ops want it: its tensors and tables on the device, and what is known of it.
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
  /// Throws Error (bad_argument) for vectors that do not fit the shape, (unsupported) for a table that does not meet
  /// the tolerance.
  ForceFieldNetwork(const Stream& stream, const ForceFieldWeights& weights, const ForceFieldOptions& options);

  const ForceFieldShape& shape() const noexcept { return shape_; }
  const ForceFieldProperties& properties() const noexcept { return properties_; }
  const Stream& stream() const noexcept { return tensors_.stream(); }
  /// On the device; a CPU's table is packed().
  ModelView view() const;
  /// For a rung that wants exact filters, whatever the model has.
  ModelView view_without_table() const;
  /// On a CPU: tensors and table as its loops want them; null: filters are exact.
  const cpu::PackedForceField* packed() const noexcept { return packed_.get(); }

 private:
  ForceFieldShape shape_;
  ForceFieldProperties properties_;
  Buffer<float> tensors_;
  Buffer<float> table_;  // empty: filters are exact, or packed
  std::int64_t n_intervals_ = 0;
  std::shared_ptr<const cpu::PackedForceField> packed_;
};

/// The op of a stream's device. Throws Error (unsupported) where the program has none.
const ForceFieldRung& op_of(const Stream& stream);

namespace cpu {
extern const ForceFieldRung batched;
}
namespace cuda {
extern const ForceFieldRung by_size;
}
namespace simt {  // there in programs that link our kernels for the executor
extern const ForceFieldRung by_size __attribute__((weak));
}

}  // namespace rafter::forcefield_ladder

// User kernels as they are described on the command line of `rafter bench` and `rafter tune`.
#pragma once

#include <string>
#include <vector>

namespace rafter::bench {

struct KernelRequest {
  std::vector<std::string> build{};    ///< The file, and compiler options as nvcc takes them.
  std::vector<std::string> kernels{};  ///< "sum", "ns::sum<float>", "sum(float*, int)"; or a host launcher.
  std::vector<std::string> calls{};    ///< [NAME=]KERNEL<<<GRID, BLOCK[, SHARED]>>>(ARGUMENTS), or FUNCTION(ARGUMENTS).
  std::vector<std::string>
      references{};                     ///< A kernel or host function of the file, a NAME of calls, or ARRAY=FILE.npy.
  std::vector<std::string> settings{};  ///< NAME=VALUE[,VALUE...].
  std::vector<std::string> grids{};     ///< X[,Y[,Z]], expressions; KERNEL=X[,Y[,Z]] for one kernel.
  std::vector<std::string> blocks{};    ///< The same for blocks.
  std::vector<std::string> shared{};    ///< Bytes, an expression; KERNEL=BYTES for one kernel.
  std::string reference_grid{}, reference_block{}, reference_shared{};  ///< Of reference kernels; empty: as above.
  std::vector<std::string> arguments{};                                 ///< NAME=TYPE[SHAPE]:FILL.
  std::vector<std::string> symbols{};      ///< The same for __constant__ and __device__ variables.
  std::vector<std::string> cooperative{};  ///< Kernels that are launched cooperatively.
  std::string bytes{}, flops{};         ///< The least traffic and work, expressions; empty: computed from the arrays.
  double tolerance = 0;                 ///< Relative; 0: the default of the type.
  std::vector<std::string> may_keep{};  ///< Variables whose values may outlive a call.
  std::vector<std::string> allowed{};   ///< Hazards that are accepted: "race", "same_value_race".

  bool needs_reference = true;  ///< Results are compared.

  /// Whether functions of the file are measured, and not a whole program.
  bool has_subject() const { return !kernels.empty() || !calls.empty(); }
};

}  // namespace rafter::bench

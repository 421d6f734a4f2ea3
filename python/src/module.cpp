// rafter._core: the library as an extension module, on top of the C API.
#include <rafter/rafter.h>

#include "call.hpp"
#include "modules.hpp"

namespace rafter::python {

NB_MODULE(_core, module) {
  module.doc() = "The library: ops on arrays, and models. Use the package rafter.";
  add_error_type(module);
  module.def(
      "version", [] { return rafter_version(); }, "Returns the version of the library.");
  module.def(
      "has_cuda",
      [] {
        const nb::gil_scoped_release released;
        return rafter_device_available(RAFTER_DEVICE_CUDA) == RAFTER_OK;
      },
      "Whether this process can use a CUDA GPU; asks the driver.");
  add_array_ops(module);
  add_filters(module);
  add_scatter(module);
  add_matrix_ops(module);
  add_heat(module);
  add_models(module);
}

}  // namespace rafter::python

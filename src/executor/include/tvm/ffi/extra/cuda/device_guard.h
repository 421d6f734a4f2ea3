// Replaces the header of TVM-FFI of this name.
#pragma once

#include "rafter_simt/ffi/tvm_ffi.hpp"

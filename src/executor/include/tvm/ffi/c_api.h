// Replaces the header of TVM-FFI of this name, unless a later folder of the search path has it.
#pragma once

#if __has_include_next(<tvm/ffi/c_api.h>)
#include_next <tvm/ffi/c_api.h>
#else
#include "rafter_simt/ffi/tvm_ffi.hpp"
#endif

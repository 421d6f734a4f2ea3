// Replaces the header of TVM-FFI of this name, unless a later folder of the search path has it.
#pragma once

#if __has_include_next(<tvm/ffi/function.h>)
#include_next <tvm/ffi/function.h>
#else
#include "rafter_simt/ffi/tvm_ffi.hpp"
#endif

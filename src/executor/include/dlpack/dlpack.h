// Replaces the header of DLPack of this name, unless a later folder of the search path has it.
#pragma once

#if __has_include_next(<dlpack/dlpack.h>)
#include_next <dlpack/dlpack.h>
#else
#include "rafter_simt/ffi/dlpack.hpp"
#endif

// Replaces CUDA's header of this name.
#pragma once

#include "rafter_simt/api/runtime_api.hpp"
#ifdef __cplusplus
#include "rafter_simt/builtins.hpp"
#endif

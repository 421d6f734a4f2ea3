// Replaces CUDA's header of this name.
#pragma once
#ifdef __cplusplus
#include "rafter_simt/all.hpp"
#else
#include "rafter_simt/api/runtime_api.hpp"
#endif

// Replaces CUDA's header of this name: enumerations and structures of the runtime API.
#pragma once

#include "rafter_simt/api/types.hpp"
#ifdef __cplusplus
#include "rafter_simt/api/textures.hpp"
#endif

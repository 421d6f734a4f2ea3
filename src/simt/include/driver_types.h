// Stands in for CUDA's header of this name: enumerations and structures of the runtime API.
#pragma once

#include "rafter_simt/api_textures.hpp"
#include "rafter_simt/api_types.hpp"

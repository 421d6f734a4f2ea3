// CUDA's runtime API on the executor.
#pragma once

#define __CUDA_RUNTIME_API_H__

#include "rafter_simt/api_functions.hpp"
#include "rafter_simt/api_graphs.hpp"
#include "rafter_simt/api_kernels.hpp"
#include "rafter_simt/api_launch.hpp"
#include "rafter_simt/api_templates.hpp"
#include "rafter_simt/api_textures.hpp"
#include "rafter_simt/api_types.hpp"
#include "rafter_simt/channel_descriptor.hpp"

// CUDA's runtime API on the executor, for C++ and, without graphs and textures, for C.
#pragma once

#define __CUDA_RUNTIME_API_H__

#include "rafter_simt/api/functions.hpp"
#include "rafter_simt/api/types.hpp"

#ifdef __cplusplus
#include "rafter_simt/api/channel_descriptor.hpp"
#include "rafter_simt/api/graphs.hpp"
#include "rafter_simt/api/kernels.hpp"
#include "rafter_simt/api/launch.hpp"
#include "rafter_simt/api/templates.hpp"
#include "rafter_simt/api/textures.hpp"
#endif

// Replaces CUDA's header of this name: make_cudaExtent and the like.
#pragma once

#include "rafter_simt/api/types.hpp"

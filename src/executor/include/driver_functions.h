// Stands in for CUDA's header of this name: make_cudaExtent and its kin.
#pragma once

#include "rafter_simt/api/types.hpp"

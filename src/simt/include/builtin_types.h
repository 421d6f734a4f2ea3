// Stands in for CUDA's header of this name.
#pragma once

#include "rafter_simt/api_types.hpp"
#include "rafter_simt/vector_types.hpp"

// Replaces CUDA's header of this name: cudaProfilerStart and cudaProfilerStop, which do nothing.
#pragma once

#include "rafter_simt/api/functions.hpp"

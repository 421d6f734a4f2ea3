// Stands in for CUDA's header of this name.
#pragma once

#include "rafter_simt/pipeline.hpp"
#include "rafter_simt/pipeline_primitives.hpp"

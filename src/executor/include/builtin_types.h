// Replaces CUDA's header of this name.
#pragma once

#include "rafter_simt/api/types.hpp"
#include "rafter_simt/numbers/vector_types.hpp"

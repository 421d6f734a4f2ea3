// The vector types under their CUDA header name.
#pragma once

#include "rafter_simt/numbers/vector_types.hpp"

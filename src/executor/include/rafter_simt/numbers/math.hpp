// Device math: <cmath> unqualified as in nvcc, CUDA's own functions, min/max and the floating-point intrinsics.
#pragma once

// The C headers' C++ wrappers make std's overloads visible in the global namespace as the same entities, so that a
// program with `using namespace std` finds each function once.
#include <math.h>
#include <stdlib.h>

#include "rafter_simt/numbers/float_intrinsics.hpp"
#include "rafter_simt/numbers/min_max.hpp"
#include "rafter_simt/numbers/special_functions.hpp"

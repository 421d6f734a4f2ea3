// Device math: <cmath> unqualified as nvcc has it, CUDA's own functions, min/max and the floating-point intrinsics.
#pragma once

// The C headers' C++ wrappers put std's overloads into the global namespace, as the same entities: a program that says
// `using namespace std` finds each function once.
#include <math.h>
#include <stdlib.h>

#include "rafter_simt/numbers/float_intrinsics.hpp"
#include "rafter_simt/numbers/min_max.hpp"
#include "rafter_simt/numbers/special_functions.hpp"

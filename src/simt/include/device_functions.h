// Intrinsics under their CUDA header name.
#pragma once

#include "rafter_simt/integer.hpp"
#include "rafter_simt/math.hpp"

// Intrinsics under their CUDA header name.
#pragma once

#include "rafter_simt/numbers/integer.hpp"
#include "rafter_simt/numbers/math.hpp"

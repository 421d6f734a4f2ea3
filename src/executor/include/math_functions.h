// Device math under its CUDA header name.
#pragma once

#include "rafter_simt/numbers/math.hpp"

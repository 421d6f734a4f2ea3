// 8-bit floating point under its CUDA header name.
#pragma once

#include "rafter_simt/numbers/fp8.hpp"

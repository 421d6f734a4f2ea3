// 8-bit floating point under its CUDA header name.
#pragma once

#include "rafter_simt/fp8.hpp"

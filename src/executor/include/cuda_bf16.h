// bfloat16 under its CUDA header name.
#pragma once

#include "rafter_simt/numbers/bf16.hpp"

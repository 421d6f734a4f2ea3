// half precision under its CUDA header name.
#pragma once

#include "rafter_simt/numbers/fp16.hpp"

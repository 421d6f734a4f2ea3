// half precision under its CUDA header name.
#pragma once

#include "rafter_simt/fp16.hpp"

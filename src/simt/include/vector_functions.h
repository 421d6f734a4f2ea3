// The make_ functions under their CUDA header name.
#pragma once

#include "rafter_simt/vector_types.hpp"

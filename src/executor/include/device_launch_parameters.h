// Replaces CUDA's header of this name: threadIdx and the other built-in variables.
#pragma once

#include "rafter_simt/builtins.hpp"

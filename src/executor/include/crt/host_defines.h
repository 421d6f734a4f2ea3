// Replaces CUDA's header of this name: the qualifiers.
#pragma once

#include "rafter_simt/builtins.hpp"

// Replaces CUDA's header of this name.
#pragma once

#include "rafter_simt/rand/host.hpp"

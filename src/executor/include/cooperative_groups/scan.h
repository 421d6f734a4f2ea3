// Replaces CUDA's header of this name.
#pragma once

#include "cooperative_groups.h"
#include "rafter_simt/groups/reduce.hpp"

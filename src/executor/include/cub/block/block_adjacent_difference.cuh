// Stands in for CUB's header of this name.
#pragma once

#include "rafter_simt/cub/neighbours.hpp"

// Replaces CUB's header of this name.
#pragma once

#include "rafter_simt/cub/device_for.hpp"

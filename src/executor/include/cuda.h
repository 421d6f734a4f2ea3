// Replaces CUDA's driver API: the few functions that programs written for the runtime API call.
#pragma once

#include "rafter_simt/api/driver_api.hpp"

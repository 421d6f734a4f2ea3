// Replaces NVTX: marks and ranges, which are not recorded.
#pragma once

#include "rafter_simt/api/nvtx.hpp"

// Replaces CUDA's header of this name.
#pragma once

#include "rafter_simt/api/channel_descriptor.hpp"

// Replaces the header of DLPack of this name.
#pragma once

#include "rafter_simt/ffi/dlpack.hpp"

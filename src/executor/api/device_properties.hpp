// The device that programs see: the limits of an H100, as many multiprocessors as keep small launches realistic.
#pragma once

#include "rafter_simt/api/types.hpp"

namespace rafter::simt {

cudaDeviceProp device_properties();

}  // namespace rafter::simt

// The device that programs see: the limits of an H100, with few multiprocessors, so that small launches fill it.
#pragma once

#include "rafter_simt/api/types.hpp"

namespace rafter::simt {

cudaDeviceProp device_properties();

}  // namespace rafter::simt

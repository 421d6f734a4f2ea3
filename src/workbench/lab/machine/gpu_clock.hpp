// The GPU's clock, in a header that nvcc can read quickly.
#pragma once

namespace rafter::lab {

/// The multiprocessors' clock now, in MHz; 0 when the driver does not tell.
unsigned gpu_clock_mhz() noexcept;

}  // namespace rafter::lab

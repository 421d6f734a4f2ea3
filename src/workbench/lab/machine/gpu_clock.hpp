// The GPU's clock, in a header that is cheap for nvcc to compile.
#pragma once

namespace rafter::lab {

/// Returns the current clock of the multiprocessors in MHz, or 0 if the driver does not report it.
unsigned gpu_clock_mhz() noexcept;

}  // namespace rafter::lab

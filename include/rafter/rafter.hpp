// Everything in the library.
#pragma once

#include "rafter/buffer.hpp"   // IWYU pragma: export
#include "rafter/device.hpp"   // IWYU pragma: export
#include "rafter/error.hpp"    // IWYU pragma: export
#include "rafter/rows.hpp"     // IWYU pragma: export
#include "rafter/stream.hpp"   // IWYU pragma: export
#include "rafter/sum.hpp"      // IWYU pragma: export
#include "rafter/version.hpp"  // IWYU pragma: export

// Includes every public header of the library.
#pragma once

#include "rafter/buffer.hpp"          // IWYU pragma: export
#include "rafter/conduction.hpp"      // IWYU pragma: export
#include "rafter/conv.hpp"            // IWYU pragma: export
#include "rafter/device.hpp"          // IWYU pragma: export
#include "rafter/edges.hpp"           // IWYU pragma: export
#include "rafter/elementwise.hpp"     // IWYU pragma: export
#include "rafter/error.hpp"           // IWYU pragma: export
#include "rafter/extrema.hpp"         // IWYU pragma: export
#include "rafter/fill.hpp"            // IWYU pragma: export
#include "rafter/filter.hpp"          // IWYU pragma: export
#include "rafter/filter_columns.hpp"  // IWYU pragma: export
#include "rafter/forcefield.hpp"
#include "rafter/gather.hpp"           // IWYU pragma: export
#include "rafter/grid.hpp"             // IWYU pragma: export
#include "rafter/half.hpp"             // IWYU pragma: export
#include "rafter/heat.hpp"             // IWYU pragma: export
#include "rafter/host_pipeline.hpp"    // IWYU pragma: export
#include "rafter/matrix.hpp"           // IWYU pragma: export
#include "rafter/memory_resource.hpp"  // IWYU pragma: export
#include "rafter/mul_add.hpp"          // IWYU pragma: export
#include "rafter/radial.hpp"           // IWYU pragma: export
#include "rafter/rows.hpp"             // IWYU pragma: export
#include "rafter/scan.hpp"             // IWYU pragma: export
#include "rafter/scatter.hpp"          // IWYU pragma: export
#include "rafter/spectral.hpp"         // IWYU pragma: export
#include "rafter/stream.hpp"           // IWYU pragma: export
#include "rafter/sum.hpp"              // IWYU pragma: export
#include "rafter/thread_pool.hpp"      // IWYU pragma: export
#include "rafter/transpose.hpp"        // IWYU pragma: export
#include "rafter/version.hpp"          // IWYU pragma: export

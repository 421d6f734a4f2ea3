// The headers that nvcc includes before every .cu file; included here with -include.
#pragma once

#include "rafter_simt/memory/memory_functions.hpp"  // also affects the headers below

#define __CUDA_RUNTIME_H__  // programs test whether the header was included

#include <cassert>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>

#include "rafter_simt/api/runtime_api.hpp"
#include "rafter_simt/builtins.hpp"
#include "rafter_simt/cluster.hpp"
#include "rafter_simt/launch/copy_elision.hpp"
#include "rafter_simt/launch/dynamic_shared.hpp"
#include "rafter_simt/launch/launch.hpp"
#include "rafter_simt/launch/loops.hpp"
#include "rafter_simt/legacy_warp.hpp"
#include "rafter_simt/memory/atomics.hpp"
#include "rafter_simt/memory/casts.hpp"
#include "rafter_simt/memory/loads.hpp"
#include "rafter_simt/memory/nv_atomics.hpp"
#include "rafter_simt/numbers/integer.hpp"
#include "rafter_simt/numbers/math.hpp"
#include "rafter_simt/numbers/shifts.hpp"
#include "rafter_simt/numbers/vector_types.hpp"
#include "rafter_simt/sync.hpp"
#include "rafter_simt/warp.hpp"

// The compiler may move an access through a restrict pointer across any call, and barriers and fences are calls here.
#define __restrict__
#define __restrict

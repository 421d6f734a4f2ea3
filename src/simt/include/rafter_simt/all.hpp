// What nvcc puts in front of every .cu file; forced in front of it here too.
#pragma once

#include "rafter_simt/memory_functions.hpp"  // it also changes what the headers below call

#define __CUDA_RUNTIME_H__  // programs ask whether the header was read

#include <cassert>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>

#include "rafter_simt/atomics.hpp"
#include "rafter_simt/builtins.hpp"
#include "rafter_simt/casts.hpp"
#include "rafter_simt/cluster.hpp"
#include "rafter_simt/dynamic_shared.hpp"
#include "rafter_simt/in_place.hpp"
#include "rafter_simt/integer.hpp"
#include "rafter_simt/launch.hpp"
#include "rafter_simt/legacy_warp.hpp"
#include "rafter_simt/loads.hpp"
#include "rafter_simt/loops.hpp"
#include "rafter_simt/math.hpp"
#include "rafter_simt/nv_atomics.hpp"
#include "rafter_simt/runtime_api.hpp"
#include "rafter_simt/shifts.hpp"
#include "rafter_simt/sync.hpp"
#include "rafter_simt/vector_types.hpp"
#include "rafter_simt/warp.hpp"

// The compiler may move an access through a restrict pointer across any call, and barriers and fences are calls here.
#define __restrict__
#define __restrict

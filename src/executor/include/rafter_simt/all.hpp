// What nvcc puts in front of every .cu file; forced in front of it here too.
#pragma once

#include "rafter_simt/memory/memory_functions.hpp"  // it also changes what the headers below call

#define __CUDA_RUNTIME_H__  // programs ask whether the header was read

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
#include "rafter_simt/launch/dynamic_shared.hpp"
#include "rafter_simt/launch/in_place.hpp"
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

// Replaces CUB's header of this name.
#pragma once

#include <cuda/functional>  // programs rely on CUB including these operators

#include "rafter_simt/cub/adjacent_items.hpp"
#include "rafter_simt/cub/block_scan.hpp"
#include "rafter_simt/cub/device_for.hpp"
#include "rafter_simt/cub/device_histogram.hpp"
#include "rafter_simt/cub/device_merge_sort.hpp"
#include "rafter_simt/cub/device_reduce.hpp"
#include "rafter_simt/cub/device_scan.hpp"
#include "rafter_simt/cub/device_select.hpp"
#include "rafter_simt/cub/device_sort.hpp"
#include "rafter_simt/cub/device_tools.hpp"
#include "rafter_simt/cub/exchange.hpp"
#include "rafter_simt/cub/iterators.hpp"
#include "rafter_simt/cub/load_store.hpp"
#include "rafter_simt/cub/radix_sort.hpp"
#include "rafter_simt/cub/reduce.hpp"
#include "rafter_simt/cub/shuffle.hpp"
#include "rafter_simt/cub/sort.hpp"
#include "rafter_simt/cub/thread.hpp"
#include "rafter_simt/cub/types.hpp"
#include "rafter_simt/cub/warp_scan.hpp"

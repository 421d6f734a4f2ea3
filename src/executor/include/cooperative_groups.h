// Replaces CUDA's header of this name.
#pragma once

#include "rafter_simt/groups/cluster.hpp"
#include "rafter_simt/groups/coalesced.hpp"
#include "rafter_simt/groups/thread_group.hpp"
#include "rafter_simt/groups/tile.hpp"

// The model files of `rafter forces`, as the library reads them for its own programs.
#pragma once

#include "forcefield/model/forcefield_checkpoint.hpp"

namespace rafter::forces {

using forcefield_ladder::ForceFieldCheckpoint;
using forcefield_ladder::read_forcefield_checkpoint;

}  // namespace rafter::forces

// forcefield's comparison, compiled for the GPU.
#include "forcefield/forcefield_answers.hpp"
#include "workbench/lab/data/device_code.cuh"

namespace rafter::forcefield_ladder {

extern const lab::DeviceCode device_code;
const lab::DeviceCode device_code{Types<lab::ComparePart<float, NearAnswer>, lab::ComparePart<double, NearAnswer>>{}};

}  // namespace rafter::forcefield_ladder

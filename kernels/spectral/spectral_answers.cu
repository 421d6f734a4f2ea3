// The comparison with spectral's answers, compiled for the GPU.
#include "spectral/spectral_answers.hpp"
#include "workbench/lab/data/device_code.cuh"

namespace rafter::spectral_ladder {

extern const lab::DeviceCode device_code;
const lab::DeviceCode device_code{Types<lab::ComparePart<float, NearAnswer>>{}};

}  // namespace rafter::spectral_ladder

// spectral's answers on the GPU.
#include "lab/data/device_code.cuh"
#include "spectral/spectral_answers.hpp"

namespace rafter::spectral_ladder {

extern const lab::DeviceCode device_code;
const lab::DeviceCode device_code{Types<lab::ComparePart<float, NearAnswer>>{}};

}  // namespace rafter::spectral_ladder

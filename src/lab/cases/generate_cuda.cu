// Inputs made on the GPU.
#include "core/dtype.hpp"
#include "lab/cases/device_code.cuh"
#include "lab/cases/generate.hpp"

namespace rafter::lab {

template <class T>
using MakeNumber = MakeElement<T, Generator>;

extern const DeviceCode generate_device_code;
const DeviceCode generate_device_code{ForTypes<Types, MakeNumber, core::AllTypes>{}};

}  // namespace rafter::lab

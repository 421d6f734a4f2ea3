// heat's answers on the GPU.
#include "heat/heat_answers.hpp"
#include "lab/cases/device_code.cuh"
#include "rafter/heat.hpp"

namespace rafter::lab {

template <class T>
using CompareNear = ComparePart<T, NearAnswer>;

extern const DeviceCode heat_device_code;
const DeviceCode heat_device_code{ForTypes<Types, MakeRounded, HeatTypes, HeatTypes>{},
                                  ForTypes<Types, Widen, HeatTypes>{}, ForTypes<Types, CompareNear, HeatTypes>{}};

}  // namespace rafter::lab

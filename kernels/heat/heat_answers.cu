// The answers of heat, compiled for the GPU.
#include "heat/heat_answers.hpp"
#include "rafter/heat.hpp"
#include "workbench/lab/data/device_code.cuh"

namespace rafter::heat_ladder {

template <class T>
using CompareNear = lab::ComparePart<T, NearAnswer>;

extern const lab::DeviceCode device_code;
const lab::DeviceCode device_code{ForTypes<Types, MakeRounded, HeatTypes, HeatTypes>{},
                                  ForTypes<Types, Widen, HeatTypes>{}, ForTypes<Types, CompareNear, HeatTypes>{}};

}  // namespace rafter::heat_ladder

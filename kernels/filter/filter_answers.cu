// filter's inputs and reference on the GPU.
#include "filter/filter_answers.hpp"
#include "lab/cases/device_code.cuh"
#include "rafter/filter.hpp"

namespace rafter::lab {

template <class T>
using MakeSpread = MakeElement<T, EvenlySpread<T>>;
template <class T>
using CompareUntouched = ComparePart<T, Untouched<T>>;

extern const DeviceCode filter_device_code;
const DeviceCode filter_device_code{
    ForTypes<Types, MakeSpread, FilterTypes>{}, ForTypes<Types, KeptOfPart, FilterTypes>{},
    ForTypes<Types, CompareKeptOfPart, FilterTypes>{}, ForTypes<Types, ElementsOfPart, FilterTypes>{},
    ForTypes<Types, CompareUntouched, FilterTypes>{}};

}  // namespace rafter::lab

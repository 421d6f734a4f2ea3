// filter's inputs and reference, compiled for the GPU.
#include "filter/filter_answers.hpp"
#include "rafter/filter.hpp"
#include "workbench/lab/data/device_code.cuh"

namespace rafter::filter_ladder {

template <class T>
using MakeSpread = lab::MakeElement<T, EvenlySpread<T>>;
template <class T>
using CompareUntouched = lab::ComparePart<T, Untouched<T>>;

extern const lab::DeviceCode device_code;
const lab::DeviceCode device_code{
    ForTypes<Types, MakeSpread, FilterTypes>{}, ForTypes<Types, KeptOfPart, FilterTypes>{},
    ForTypes<Types, CompareKeptOfPart, FilterTypes>{}, ForTypes<Types, ElementsOfPart, FilterTypes>{},
    ForTypes<Types, CompareUntouched, FilterTypes>{}};

}  // namespace rafter::filter_ladder

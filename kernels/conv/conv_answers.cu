// conv's reference, compiled for the GPU.
#include "conv/conv_answers.hpp"
#include "workbench/lab/data/device_code.cuh"

namespace rafter::conv_ladder {

template <class T>
using CompareConv = lab::ComparePart<T, ConvAnswer<T>>;
template <class T>
using KeepConv = lab::KeepExpectation<ConvAnswer<T>>;
template <class T>
using CompareKept = lab::ComparePart<T, lab::KeptExpectation>;

extern const lab::DeviceCode device_code;
const lab::DeviceCode device_code{ForTypes<Types, CompareConv, ConvTypes>{}, ForTypes<Types, KeepConv, ConvTypes>{},
                                  ForTypes<Types, CompareKept, ConvTypes>{}};

}  // namespace rafter::conv_ladder

// conv's answers on the GPU.
#include "conv/conv_answers.hpp"
#include "lab/data/device_code.cuh"

namespace rafter::conv_ladder {

template <class T>
using CompareConv = lab::ComparePart<T, ConvAnswer<T>>;

extern const lab::DeviceCode device_code;
const lab::DeviceCode device_code{ForTypes<Types, CompareConv, ConvTypes>{}};

}  // namespace rafter::conv_ladder

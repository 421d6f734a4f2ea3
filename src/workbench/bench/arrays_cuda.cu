// Fills, seals and compares the arrays of user kernels on the GPU.
#include "workbench/bench/array_elements.hpp"
#include "workbench/lab/data/device_code.cuh"
#include "workbench/lab/data/generate.hpp"

namespace rafter::bench {

template <class T>
using FillElement = lab::MakeElement<T, FillElements<T>>;
template <class T>
using CompareExactly = lab::ComparePart<T, SealedElements<T>>;
template <class T>
using CompareNearly = lab::ComparePart<T, SealedExpectations<T>>;

extern const lab::DeviceCode arrays_device_code;
const lab::DeviceCode arrays_device_code{
    ForTypes<Types, FillElement, FloatTypes>{},   ForTypes<Types, FillElement, IntegerTypes>{},
    ForTypes<Types, SealElement, FloatTypes>{},   ForTypes<Types, SealElement, IntegerTypes>{},
    ForTypes<Types, CompareNearly, FloatTypes>{}, ForTypes<Types, CompareExactly, IntegerTypes>{},
    ForTypes<Types, SquaresOfPart, FloatTypes>{}};

}  // namespace rafter::bench

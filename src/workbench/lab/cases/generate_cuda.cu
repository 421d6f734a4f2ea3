// Generates and sums inputs on the GPU.
#include "library/core/dtype.hpp"
#include "workbench/lab/cases/pitched.hpp"
#include "workbench/lab/data/device_code.cuh"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/data/range_sums.hpp"

namespace rafter::lab {

template <class T>
using MakeNumber = MakeElement<T, Generator>;
template <class T>
using MakePitched = MakeElement<T, PitchedGenerator<>>;

using Words = Types<std::uint64_t, std::uint32_t, std::uint8_t>;

extern const DeviceCode generate_device_code;
const DeviceCode generate_device_code{
    ForTypes<Types, MakeNumber, core::AllTypes>{}, ForTypes<Types, MakePitched, core::AllTypes>{},
    ForTypes<Types, SumPart, core::AllTypes>{}, ForTypes<Types, WriteRandomBits, Words>{}};

}  // namespace rafter::lab

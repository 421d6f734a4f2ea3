// The inputs and answers of gather, compiled for the GPU.
#include "gather/gather_answers.hpp"
#include "gather/gather_rung.hpp"
#include "workbench/lab/data/device_code.cuh"

namespace rafter::gather_ladder {

template <class T>
using MakeTable = lab::MakeElement<T, TableGenerator<T>>;
template <class I>
using MakeIndices = lab::MakeElement<I, IndexGenerator<I>>;
template <class T, class I>
using CompareGathered = lab::ComparePart<T, Gathered<T, I>>;

extern const lab::DeviceCode device_code;
const lab::DeviceCode device_code{ForTypes<Types, MakeTable, core::BitsTypes>{},
                                  ForTypes<Types, MakeIndices, GatherIndexTypes>{},
                                  ForTypes<Types, CompareGathered, core::BitsTypes, GatherIndexTypes>{},
                                  ForTypes<Types, BadIndicesOfPart, GatherIndexTypes>{}};

}  // namespace rafter::gather_ladder

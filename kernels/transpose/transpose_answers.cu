// The inputs and answers of transpose, compiled for the GPU.
#include "transpose/transpose_answers.hpp"
#include "transpose/transpose_rung.hpp"
#include "workbench/lab/data/device_code.cuh"

namespace rafter::transpose_ladder {

template <class Word>
using MakeWord = lab::MakeElement<Word, TransposeElements<Word>>;
template <class Word>
using CompareWords = lab::ComparePart<Word, Transposed<Word>>;

extern const lab::DeviceCode device_code;
const lab::DeviceCode device_code{ForTypes<Types, MakeWord, TransposeWords>{},
                                  ForTypes<Types, CompareWords, TransposeWords>{}};

}  // namespace rafter::transpose_ladder

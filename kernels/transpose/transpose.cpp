// transpose: checks its arguments and calls the best rung of the stream's device for elements of that size.
#include <limits>

#include "core/arguments.hpp"
#include "core/dispatch.hpp"
#include "transpose/transpose_rung.hpp"

namespace rafter {

namespace transpose_ladder {
namespace cpu {
extern const TransposeRung buffered_tiles;
}
namespace cuda {
extern const TransposeRung by_shape;
}
}  // namespace transpose_ladder

namespace {

using Bytes = std::span<const std::byte>;

void require_shape(const MatrixShape& shape) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16;
  const auto [n_rows, n_cols] = shape;
  if (n_rows < 0 || n_cols < 0 || (n_cols > 0 && n_rows > most / n_cols)) {
    core::refuse("transpose", "shape",
                 "must have extents of 0 or more and fewer than 2^59 elements, is (" + std::to_string(n_rows) + ", " +
                     std::to_string(n_cols) + ")");
  }
}

template <class Word>
std::span<const Word> words(const char* argument, Bytes bytes, const MatrixShape& shape) {
  core::require_size("transpose", argument, bytes, shape.n_rows * shape.n_cols * std::int64_t{sizeof(Word)});
  const std::span<const Word> array(reinterpret_cast<const Word*>(bytes.data()), bytes.size() / sizeof(Word));
  core::require_array("transpose", argument, array);
  return array;
}

template <class Word>
void transpose_words(const Stream& stream, Bytes in_bytes, MatrixShape shape, std::span<std::byte> out_bytes) {
  using namespace transpose_ladder;
  require_shape(shape);
  const auto in = words<Word>("in", in_bytes, shape);
  const auto checked_out = words<Word>("out", out_bytes, shape);
  core::require_disjoint("transpose", "in", in, "out", checked_out);
  const std::span<Word> out(reinterpret_cast<Word*>(out_bytes.data()), checked_out.size());
  core::dispatch<cpu::buffered_tiles, cuda::by_shape>("transpose", stream, TransposeArgs<Word>{in, shape, out});
}

/// Whether there is a Word of that size; then it is done.
template <class... Word>
bool transpose_if_known(Types<Word...>, const Stream& stream, Bytes in, MatrixShape shape, int element_bytes,
                        std::span<std::byte> out) {
  return ((element_bytes == static_cast<int>(sizeof(Word)) && (transpose_words<Word>(stream, in, shape, out), true)) ||
          ...);
}

}  // namespace

void transpose(const Stream& stream, std::span<const std::byte> in, MatrixShape shape, int element_bytes,
               std::span<std::byte> out) {
  if (!transpose_if_known(transpose_ladder::TransposeWords{}, stream, in, shape, element_bytes, out))
    core::refuse("transpose", "element_bytes", "must be 1, 2, 4, 8 or 16, is " + std::to_string(element_bytes));
}

}  // namespace rafter

// The public op transpose: checks its arguments and calls the best rung of the stream's device for the element size.
#include <type_traits>

#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"
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

using Bytes = MatrixView<std::byte>;
using ConstBytes = MatrixView<const std::byte>;

/// Returns rows of bytes as rows of elements.
template <class Word, class Byte>
auto words(const Stream& stream, const char* argument, const MatrixView<Byte>& bytes) {
  using Element = std::conditional_t<std::is_const_v<Byte>, const Word, Word>;
  constexpr auto size = static_cast<std::int64_t>(sizeof(Word));
  if (bytes.n_cols % size != 0 || bytes.row_stride % size != 0)
    core::refuse("transpose", argument,
                 "must have rows and a row_stride of whole elements of " + std::to_string(size) + " bytes");
  const auto matrix = MatrixView<Element>::unchecked(reinterpret_cast<Element*>(bytes.data),
                                                     {bytes.n_rows, bytes.n_cols / size}, bytes.row_stride / size);
  core::require_matrix(stream, "transpose", argument, matrix);
  return matrix;
}

template <class Word>
void transpose_words(const Stream& stream, const ConstBytes& in_bytes, const Bytes& out_bytes) {
  using namespace transpose_ladder;
  const MatrixView<const Word> in = words<Word>(stream, "in", in_bytes);
  const MatrixView<Word> out = words<Word>(stream, "out", out_bytes);
  if (out.n_rows != in.n_cols || out.n_cols != in.n_rows) {
    core::refuse("transpose", "out",
                 "should have " + std::to_string(in.n_cols) + " rows of " + std::to_string(in.n_rows) +
                     " elements, has " + std::to_string(out.n_rows) + " of " + std::to_string(out.n_cols));
  }
  core::require_disjoint("transpose", "in", core::elements_of(in), "out", core::elements_of(out));
  core::dispatch<cpu::buffered_tiles, cuda::by_shape>("transpose", stream, TransposeArgs<Word>{in, out});
}

/// Transposes if a Word of that size exists; returns whether it does.
template <class... Word>
bool transpose_if_known(Types<Word...>, const Stream& stream, const ConstBytes& in, int element_bytes,
                        const Bytes& out) {
  return ((element_bytes == static_cast<int>(sizeof(Word)) && (transpose_words<Word>(stream, in, out), true)) || ...);
}

}  // namespace

void v1::transpose(const Stream& stream, MatrixView<const std::byte> in, int element_bytes, MatrixView<std::byte> out) {
  if (!transpose_if_known(transpose_ladder::TransposeWords{}, stream, in, element_bytes, out))
    core::refuse("transpose", "element_bytes", "must be 1, 2, 4, 8 or 16, is " + std::to_string(element_bytes));
}

void v1::transpose(const Stream& stream, DeviceSpan<const std::byte> in, MatrixShape shape, int element_bytes,
                   DeviceSpan<std::byte> out) {
  const auto [n_rows, n_cols] = shape;
  core::require_shape("transpose", shape, n_cols);
  core::require_size("transpose", "in", in, n_rows * n_cols * element_bytes);
  core::require_size("transpose", "out", out, n_rows * n_cols * element_bytes);
  transpose(stream, ConstBytes::unchecked(in.data(), {n_rows, n_cols * element_bytes}), element_bytes,
            Bytes::unchecked(out.data(), {n_cols, n_rows * element_bytes}));
}

}  // namespace rafter

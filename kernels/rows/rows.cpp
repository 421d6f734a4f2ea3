// The public op row_sums: checks its arguments and calls the best rung of the stream's device.
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"
#include "rows/rows_rung.hpp"

namespace rafter {

namespace rows_ladder {
namespace cpu {
extern const RowsRung by_shape;
}
namespace cuda {
extern const RowsRung by_shape;
}
}  // namespace rows_ladder

template <class T>
void detail::RowSums<T>::operator()(const Stream& stream, MatrixView<const T> in, DeviceSpan<T> out) const {
  using namespace rows_ladder;
  core::require_matrix(stream, "row_sums", "in", in);
  core::require_size("row_sums", "out", out, in.n_rows);
  core::require_array(stream, "row_sums", "out", out);
  core::require_disjoint("row_sums", "in", core::elements_of(in), "out", out);
  core::dispatch<cpu::by_shape, cuda::by_shape>("row_sums", stream, RowsArgs<T>{in, out.elements()});
}

template <class T>
void detail::ContiguousRowSums<T>::operator()(const Stream& stream, DeviceSpan<const T> in, MatrixShape shape,
                                              DeviceSpan<T> out) const {
  const MatrixView<const T> view = MatrixView<const T>::unchecked(in.data(), shape);
  core::require_layout("row_sums", "in", view);
  core::require_size("row_sums", "in", in, view.extent());
  RowSums<T>{}(stream, view, out);
}

template struct core::Instances<const OverloadsFor<detail::RowSums, RowsTypes>>;
template struct core::Instances<const OverloadsFor<detail::ContiguousRowSums, RowsTypes>>;

}  // namespace rafter

// The public op gather: checks its arguments and calls the best rung of the stream's device.
#include "gather/gather_rung.hpp"
#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"

namespace rafter {

namespace gather_ladder {
namespace cpu {
extern const GatherRung prefetching;
}
namespace cuda {
extern const GatherRung by_table;
}
}  // namespace gather_ladder

namespace {

/// Returns an array as bytes, so that arrays of different types can be checked for overlap.
template <class T>
std::span<const std::byte> bytes_of(std::span<T> array) {
  return std::as_bytes(array);
}

void require_possible(const OutOfRange& out_of_range, std::int64_t n_table, std::int64_t n_indices) {
  if (out_of_range.kind() == OutOfRange::Kind::report)
    core::require_array("gather", "out_of_range's BadIndices", std::span(out_of_range.bad(), 1));
  if (out_of_range.kind() == OutOfRange::Kind::clamp && n_table == 0 && n_indices > 0)
    core::refuse("gather", "table", "is empty: there is no element to clamp indices to");
}

}  // namespace

template <class T, class I>
void detail::Gather<T, I>::operator()(const Stream& stream, std::span<const T> table, std::span<const I> indices,
                                      OutOfRange out_of_range, std::span<T> out) const {
  using namespace gather_ladder;
  core::require_size("gather", "out", out, std::ssize(indices));
  core::require_array("gather", "table", table);
  core::require_array("gather", "indices", indices);
  core::require_array("gather", "out", out);
  require_possible(out_of_range, std::ssize(table), std::ssize(indices));
  core::require_disjoint("gather", "table", bytes_of(table), "out", bytes_of(out));
  core::require_disjoint("gather", "indices", bytes_of(indices), "out", bytes_of(out));
  const GatherArgs<core::BitsOf<T>, I> args{core::bits_of(table), indices, out_of_range, core::bits_of(out)};
  core::dispatch<cpu::prefetching, cuda::by_table>("gather", stream, args);
}

template struct core::Instances<decltype(gather)>;

}  // namespace rafter

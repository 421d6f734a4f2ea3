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

void require_possible(const Stream& stream, const OutOfRange& out_of_range, std::int64_t n_table,
                      std::int64_t n_indices) {
  if (out_of_range.kind() == OutOfRange::Kind::report)
    core::require_array(stream, "gather", "out_of_range's BadIndices",
                        DeviceSpan<BadIndices>::unchecked(out_of_range.bad(), 1));
  if (out_of_range.kind() == OutOfRange::Kind::clamp && n_table == 0 && n_indices > 0)
    core::refuse("gather", "table", "is empty: there is no element to clamp indices to");
}

}  // namespace

template <class T, class I>
void detail::Gather<T, I>::operator()(const Stream& stream, DeviceSpan<const T> table, DeviceSpan<const I> indices,
                                      OutOfRange out_of_range, DeviceSpan<T> out) const {
  using namespace gather_ladder;
  core::require_size("gather", "out", out, indices.size());
  core::require_array(stream, "gather", "table", table);
  core::require_array(stream, "gather", "indices", indices);
  core::require_array(stream, "gather", "out", out);
  require_possible(stream, out_of_range, table.size(), indices.size());
  core::require_disjoint("gather", "table", table, "out", out);
  core::require_disjoint("gather", "indices", indices, "out", out);
  const GatherArgs<core::BitsOf<T>, I> args{core::bits_of(table.elements()), indices.elements(), out_of_range,
                                            core::bits_of(out.elements())};
  core::dispatch<cpu::prefetching, cuda::by_table>("gather", stream, args);
}

template struct core::Instances<decltype(gather)>;

}  // namespace rafter

// binned: elements are sorted by ranges of keys first, so that each range can be added up in shared memory.
// Twice the traffic, but of whole lines, where atomics into the result move a sector of the L2 for every element.
#include "scatter/cuda/scatter_binned.cuh"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

extern const ScatterRung binned{[]<class T, class Key>(const Stream& stream, ScatterArgs<T, Key> args) {
  require_plain_sum(args);
  if (sizeof(T) != 4) throw Error(ErrorCode::unsupported, "this rung is for elements of 4 bytes");
  if (!can_be_binned(args.n_keys())) throw Error(ErrorCode::unsupported, "so many keys need too many bins");
  core::clear(stream, args.out.data(), static_cast<std::int64_t>(args.out.size_bytes()));
  if constexpr (sizeof(T) == 4) reduce_binned<Sum<T>>(stream, view_of(args));
}};

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND

// binned: elements are first sorted by ranges of keys, so that each range can be added up in shared memory.
// Twice the traffic, but of whole lines, where atomics into the result move an L2 sector for every element.
#include "scatter/cuda/scatter_binned.cuh"
#include "scatter/cuda/scatter_results.cuh"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

extern const ScatterRung binned{[]<Binnable T, class Key>(const Stream& stream, ScatterArgs<T, Key> args) {
  require_plain_sum(args);
  if (!can_be_binned(args.n_keys())) throw Error(ErrorCode::unsupported, "there are too many keys for the bins");
  const Results<T> results(stream, args.out, binned_bytes<T>(stream, args.n(), args.n_keys()));
  clear_results(stream, results);
  reduce_binned<SumOf<T>>(stream, view_of(args, results.all.data()), results.scratch);
  round_results(stream, results, args.out);
}};

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND

// plain: one element at a time, into the result.
// A key that is repeated soon waits until its last addition is stored: ten cycles per element for one key.
#include "scatter/cpu/scatter_loops.hpp"

namespace rafter::scatter_ladder::cpu {

extern const ScatterRung plain{[]<class T, class Key>(const Stream& stream, ScatterArgs<T, Key> args) {
  require_plain_sum(args);
  const Results<T> results(stream, args.out);
  std::fill(results.all.begin(), results.all.end(), 0);
  const KeyedElements<core::Accumulator<T>, Key, InPlace<T>> elements{
      args.keys.data(), {args.values.data()}, args.n(), results.all.data(), args.n_keys()};
  in_order<SumOf<T>>(elements);
  round_results(results, args.out);
}};

}  // namespace rafter::scatter_ladder::cpu

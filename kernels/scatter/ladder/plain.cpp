// plain: one element after the other, into the result.
// When a key comes up again soon, its addition waits until the last one is stored: ten cycles an element for one key.
#include "scatter/scatter_cpu.hpp"

namespace rafter::scatter_ladder::cpu {

extern const ScatterRung plain{[]<class T, class Key>(const Stream&, ScatterArgs<T, Key> args) {
  require_plain_sum(args);
  std::fill(args.out.begin(), args.out.end(), T{0});
  const KeyedElements<T, Key, InPlace<T>> elements{
      args.keys.data(), {args.values.data()}, args.n(), args.out.data(), args.n_keys()};
  in_order<Sum<T>>(elements);
}};

}  // namespace rafter::scatter_ladder::cpu

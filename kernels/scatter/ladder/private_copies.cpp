// private_copies: every thread adds its part of the array into a copy of the result; the copies are added at the end.
// All cores load at once, but each still waits for its own last addition to a key. The copies take memory per thread
// and time to add: for few keys only.
#include "scatter/cpu/scatter_loops.hpp"

namespace rafter::scatter_ladder::cpu {

extern const ScatterRung private_copies{[]<class T, class Key>(const Stream& stream, ScatterArgs<T, Key> args) {
  require_plain_sum(args);
  const std::int64_t n_keys = args.n_keys();
  const int n_parts = stream.n_threads();
  using Wide = core::Accumulator<T>;
  const Results<T> results(stream, args.out, n_parts * n_keys * std::int64_t{sizeof(Wide)});
  std::fill(results.all.begin(), results.all.end(), 0);
  auto* copies = reinterpret_cast<Wide*>(results.scratch.data());
  core::run_parts(n_parts, [&](int part) {
    Wide* copy = copies + part * n_keys;  // [n_keys]
    std::fill_n(copy, n_keys, 0);
    const std::int64_t first = args.n() * part / n_parts;
    const std::int64_t last = args.n() * (part + 1) / n_parts;
    in_order<SumOf<T>>(KeyedElements<Wide, Key, InPlace<T>>{
        args.keys.data() + first, {args.values.data() + first}, last - first, copy, n_keys});
  });
  for (int part = 0; part < n_parts; ++part) {
    for (std::int64_t k = 0; k < n_keys; ++k) results.all[static_cast<std::size_t>(k)] += copies[part * n_keys + k];
  }
  round_results(results, args.out);
}};

}  // namespace rafter::scatter_ladder::cpu

// plain: one loop that compares each element with the best so far.
// Every comparison waits for the one before it: one element per latency of a comparison and a selection.
#include "extrema/extrema_rung.hpp"

namespace rafter::extrema_ladder::cpu {

extern const ExtremaRung plain{[]<class T>(const Stream&, ExtremaArgs<T> args) {
  const auto order = order_of<T>(args.which);
  const auto* in = words_of(args.in.data());
  auto best = order.key_of(in[0]);
  std::int64_t index = 0;
  for (std::int64_t i = 1; i < std::ssize(args.in); ++i) {
    const auto key = order.key_of(in[i]);
    if (key > best) {
      best = key;
      index = i;
    }
  }
  if (args.value != nullptr) *words_of(args.value) = order.word_of(best);
  if (args.index != nullptr) *args.index = index;
}};

}  // namespace rafter::extrema_ladder::cpu

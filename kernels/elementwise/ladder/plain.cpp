// plain: one loop on one thread.
// One core cannot saturate memory, and the conversions of 16-bit floats are not vectorised.
#include "elementwise/cpu/elementwise_element.hpp"
#include "elementwise/elementwise_rung.hpp"

namespace rafter::elementwise_ladder::cpu {

extern const ElementwiseRung plain{[]<class Map>(const Stream&, ElementwiseArgs<Map> args) {
  for (std::int64_t i = 0; i < std::ssize(args.out); ++i)
    args.out[static_cast<std::size_t>(i)] = plain_element(args.map, i);
}};

}  // namespace rafter::elementwise_ladder::cpu

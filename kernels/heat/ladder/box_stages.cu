// box_stages: a kernel for each stage again, each block with all of its tile in shared memory at once.
// The kernel is in heat_boxes.cuh. 40 bytes per cell and step, which a small grid finds in the L2.
#include "heat/heat_steps.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

template <class T>
void box_stages(const Stream& stream, const HeatArgs<T>& args) {
  advance_in_boxes(stream, args);
}

RAFTER_HEAT_RUNG(box_stages);

}  // namespace rafter::heat_ladder::RAFTER_BACKEND

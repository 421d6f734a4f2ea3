// sweep: all blocks sweep over the table together, region by region, each with its next indices in registers.
// A region's lines are fetched from DRAM once for about a million indices. Pays if the table is larger than the L2.
#include "gather/cuda/gather_streamed.cuh"
#include "gather/cuda/gather_sweep.cuh"

namespace rafter::gather_ladder::RAFTER_BACKEND {

extern const GatherRung sweep{[]<class T, class I>(const Stream& stream, GatherArgs<T, I> args) {
  if (std::ssize(args.table) > most_swept_bytes())
    throw Error(ErrorCode::unsupported,
                "the sweep takes tables of at most " + std::to_string(most_swept_bytes()) + " elements");
  launch_sweep(stream, view_of(args), args.out_of_range);
}};

}  // namespace rafter::gather_ladder::RAFTER_BACKEND

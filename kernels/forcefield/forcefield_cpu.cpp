// batched: one molecule after the other, over the threads.
#include "forcefield/cpu/forcefield_one_by_one.hpp"

namespace rafter::forcefield_ladder::cpu {

extern const ForceFieldRung batched{
    []<class T>(const Stream& stream, const ForceFieldArgs<T>& args) { compute_one_by_one(args, stream.n_threads()); }};

}  // namespace rafter::forcefield_ladder::cpu

// plain: one molecule after the other, step by step, on one thread.
// Limited by latency and by the filter network, which is evaluated again for every edge, layer and pass.
#include "forcefield/cpu/forcefield_one_by_one.hpp"

namespace rafter::forcefield_ladder::cpu {

extern const ForceFieldRung plain{
    []<class T>(const Stream&, const ForceFieldArgs<T>& args) { compute_one_by_one(args, 1); }};

}  // namespace rafter::forcefield_ladder::cpu

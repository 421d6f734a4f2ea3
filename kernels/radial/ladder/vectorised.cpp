// vectorised: centres in the lanes of vectors, the exponential as a polynomial; one thread.
// Limited by the multiply-adds of the exponential, about fifteen per value.
#include "radial/radial_rung.hpp"
#include "radial/radial_simd.hpp"

namespace rafter::radial_ladder::cpu {

namespace {

void run_vectorised(const RadialArgs& args) { radial_loops().forward(args.in, args.out, core::Stores::cached); }
void run_vectorised(const RadialGradientArgs& args) {
  radial_loops().backward(args.in, args.out_gradient, args.gradient);
}

}  // namespace

extern const RadialRung vectorised{[](const Stream&, const auto& args) { run_vectorised(args); }};

}  // namespace rafter::radial_ladder::cpu

// Faults planted in the kernels of edges and radial: the checkers report missing barriers, the conformance check
// detects wrong sums. fault() selects the fault.
#include "edges/edges_rung.hpp"
#include "planted_rung.hpp"
#include "radial/radial_rung.hpp"

namespace rafter {

namespace edges_ladder::planted_edges_faults {
extern const EdgesRung by_atom;
int fault();
int fault() { return test::chosen_fault; }
}  // namespace edges_ladder::planted_edges_faults
namespace radial_ladder::planted_radial_faults {
extern const RadialRung tiled;
int fault();
int fault() { return test::chosen_fault; }
}  // namespace radial_ladder::planted_radial_faults

namespace {

using test::expect_clean;
using test::expect_found;
using test::Found;

lab::Params direction(const char* output) { return {{"edges", std::int64_t{300}}, {"output", std::string(output)}}; }

Found edge_gradient_with(int fault) {
  return test::run_planted<edges_ladder::EdgeGradientArgs>("edges", edges_ladder::planted_edges_faults::by_atom,
                                                           direction("backward"), fault);
}
Found radial_with(int fault) {
  return test::run_planted<radial_ladder::RadialArgs>("radial", radial_ladder::planted_radial_faults::tiled,
                                                      direction("forward"), fault);
}
Found radial_gradient_with(int fault) {
  return test::run_planted<radial_ladder::RadialGradientArgs>("radial", radial_ladder::planted_radial_faults::tiled,
                                                              direction("backward"), fault);
}

TEST(EdgesFaults, ReportsNothingWithoutAFault) {
  expect_clean(edge_gradient_with(0));
  expect_clean(radial_with(0));
  expect_clean(radial_gradient_with(0));
}

TEST(EdgesFaults, ReportsMissingBarrierAfterRows) {
  expect_found(radial_with(1), "race in shared memory", "radial/radial_cuda.cu");
}

TEST(EdgesFaults, ReportsMissingBarrierAfterSums) {
  expect_found(radial_gradient_with(2), "race in shared memory", "radial/radial_cuda.cu");
}

TEST(EdgesFaults, DetectsOmittedLanesAndWrongSigns) {
  EXPECT_FALSE(edge_gradient_with(1).is_right);
  EXPECT_FALSE(edge_gradient_with(2).is_right);
}

TEST(EdgesFaults, DetectsColumnPastTheLast) { EXPECT_FALSE(radial_with(3).is_right); }

}  // namespace
}  // namespace rafter

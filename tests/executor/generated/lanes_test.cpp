// Vectorised kernels compared with the plain form: the same text, run for one thread after the other.
#include "../build/plain_build.hpp"
#include "../tool.hpp"
#include "generated.hpp"
#include "lane_kernels.hpp"

namespace rafter::simt::test {
namespace {

TEST(GeneratedKernels, LanesMatchThePlainForm) {
  for_programs([](int n_wanted, std::uint64_t seed) {
    const int n = (n_wanted + 5) / 6;  // they take longer to compile than others
    const LaneProgram program(n, seed);
    ASSERT_EQ(n_in_lanes(program.text()), n) << program.text();
    const lab::TemporaryFolder folder;
    write(folder.path() / "generated.cu", program.text());
    // V and A are names in the executor's headers, which must be read before a program's macros.
    const Outcome outcome = rafter(folder.path(), "exec -DRAFTER_SIMT_ALL_LANES -DV=1 -DA=2 generated.cu");
    ASSERT_EQ(outcome.code, 0) << "RAFTER_SEED=" << seed << "\n" << outcome.all() << program.text();
    EXPECT_NE(outcome.out.find("all equal"), std::string::npos);
  });
}

}  // namespace
}  // namespace rafter::simt::test

// Kernels with known orders: with --strict the checkers must report exactly what is missing between two accesses;
// without it, races as findings and the rest as notes.
#include "../tool.hpp"
#include "generated.hpp"
#include "order_kernels.hpp"

namespace rafter::simt::test {
namespace {

std::string described(const OrderKernel& kernel) {
  constexpr std::array<std::string_view, 5> by{"nothing", "atomic flag", "volatile flag", "order of the flag", "lock"};
  constexpr std::array<std::string_view, 3> fences{"no fence", "block fence", "device fence"};
  const auto accessor = [&](const Accessor& one) {
    return std::string(one.is_volatile ? "volatile " : "plain ") + (one.writes ? "write, " : "read, ") +
           std::string(fences[static_cast<std::size_t>(one.before)]) + " before, " +
           std::string(fences[static_cast<std::size_t>(one.after)]) + " after";
  };
  return kernel.name + ": " + std::string(by[static_cast<std::size_t>(kernel.by)]) +
         (kernel.in_one_block ? ", one block; " : ", two blocks; ") + accessor(kernel.first) + "; " +
         accessor(kernel.second) + (kernel.fences_after_flag ? ", after the flag" : "");
}

/// Whether a finding concerns the kernel's two accesses. g++ may attribute a load at a branch's start to the branch's
/// line.
bool is_of_accesses(const json& finding, const OrderKernel& kernel) {
  std::vector<int> lines;
  for (const json& side : finding["sides"]) lines.push_back(side["place"].value("line", 0));
  std::sort(lines.begin(), lines.end());
  const auto is_at = [](int line, int access) { return line == access || line == access - 1; };
  return lines.size() == 2 && is_at(lines[0], kernel.lines[0]) && is_at(lines[1], kernel.lines[1]);
}

/// Returns the kind of a report's finding on a kernel's two accesses. A volatile flag that orders nothing is such a
/// pair itself.
std::string said(const json& list, const OrderKernel& kernel) {
  const bool is_flag_idle = !kernel.is_released() || !(kernel.first.writes || kernel.second.writes);
  std::string kinds;
  for (const json& finding : list) {
    if (finding["kernel"] != kernel.name) continue;
    const std::string kind = finding["kind"];
    if (is_of_accesses(finding, kernel)) {
      kinds += kind;
    } else if (kernel.by != By::volatile_flag || kind != "unordered_volatile" || !is_flag_idle) {
      kinds += " and elsewhere " + finding.dump(2);
    }
  }
  return kinds;
}

TEST(GeneratedKernels, ChecksOrdersBetweenThreads) {
  for_programs([](int n, std::uint64_t seed) {
    const OrderProgram program(n, seed);
    const lab::TemporaryFolder folder;
    write(folder.path() / "generated.cu", program.text());
    const json strict = rafter(folder.path(), "check --json --strict generated.cu").report();
    const json normal = rafter(folder.path(), "check --json generated.cu").report();
    ASSERT_TRUE(strict.is_object() && normal.is_object()) << program.text();
    for (const OrderKernel& kernel : program.kernels()) {
      SCOPED_TRACE(described(kernel) + "\nRAFTER_SEED=" + std::to_string(seed));
      const std::string hazard = kernel.hazard(), race = hazard == "race" ? hazard : "";
      EXPECT_EQ(said(strict["findings"], kernel), hazard);
      EXPECT_EQ(said(normal["findings"], kernel), race);
      EXPECT_EQ(said(normal["notes"], kernel), race.empty() ? hazard : "");
    }
    if (testing::Test::HasFailure()) GTEST_FAIL() << program.text();
  });
}

}  // namespace
}  // namespace rafter::simt::test

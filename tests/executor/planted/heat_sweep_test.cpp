// The kernels of heat: they give the same results on a GPU with less shared memory, and the checkers report planted
// faults.
#include <string>
#include <vector>

#include "heat/heat_rung.hpp"
#include "planted_rung.hpp"
#include "workbench/lab/data/generate.hpp"

extern "C" void rafter_simt_configure(const char* options);

namespace rafter {

#define RAFTER_PLANTED_HEAT(where)                \
  namespace heat_ladder::where {                  \
  extern const HeatRung fused_sweeps, one_launch; \
  }
RAFTER_PLANTED_HEAT(simt)
namespace heat_ladder::simt {
template <class T>
bool one_launch_is_possible(const HeatGrid& grid, std::initializer_list<GridView<const T>> fields);
}
RAFTER_PLANTED_HEAT(planted_heat_faults)

namespace {

using heat_ladder::HeatArgs;
using heat_ladder::HeatRung;

constexpr int less_shared_memory = 120;  // a capability with 100 KiB and TMA

class HeatSweep : public testing::Test {
 protected:
  void SetUp() override {
    simt::provide_device();
    emulate_gpu(90);
    test::chosen_fault = 0;
  }

  static void emulate_gpu(int capability) {
    const std::string options = "mode=check;time_limit=5;capability=";  // a fault may cause a deadlock
    rafter_simt_configure((options + std::to_string(capability)).c_str());
  }

  /// Returns a random field after two steps.
  template <class T>
  static std::vector<T> stepped(const HeatRung& rung, HeatProblem problem) {
    problem.dt = heat_default_dt(problem);
    const Stream stream = Stream::on(Device::simt);
    const std::int64_t n = problem.shape.n_cells();
    std::vector<T> field(static_cast<std::size_t>(n));
    const lab::Generator generator{lab::Generator::Kind::bell, 7};
    for (std::int64_t i = 0; i < n; ++i) field[static_cast<std::size_t>(i)] = static_cast<T>(generator(i));
    Buffer<T> now(stream, std::span<const T>(field));
    Buffer<T> work(stream, n);
    const GridView<T> both = contiguous_field(now.span(), problem.shape);
    rung(stream,
         HeatArgs<T>{heat_ladder::grid_of(problem), 2, both, both, contiguous_field(work.span(), problem.shape)});
    now.copy_to(field);
    return field;
  }

  template <class T>
  static void expect_equal_with_less_shared_memory(const HeatProblem& problem) {
    emulate_gpu(90);
    const std::vector<T> wide = stepped<T>(heat_ladder::simt::fused_sweeps, problem);
    emulate_gpu(less_shared_memory);
    EXPECT_EQ(stepped<T>(heat_ladder::simt::fused_sweeps, problem), wide) << "order " << problem.order;
    EXPECT_EQ(core::backend(Device::simt).take_findings().value_or(""), "") << "order " << problem.order;
  }

  static void expect_race(const HeatRung& rung, const HeatProblem& problem, int fault, const std::string& memory,
                          const std::string& where) {
    test::chosen_fault = fault;
    try {
      stepped<float>(rung, problem);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::device_failure) << error.what();
    }
    const std::string found = core::backend(Device::simt).take_findings().value_or("");
    EXPECT_TRUE(found.find("race in " + memory + " memory, kernel ") != std::string::npos) << found;
    EXPECT_TRUE(found.find(where) != std::string::npos) << found;
  }
};

TEST_F(HeatSweep, IsBitwiseEqualWithLessSharedMemory) {
  const auto problem = [](GridShape shape, int order) {
    return HeatProblem{.shape = shape, .spacing = {1, 1.5, 0.8}, .order = order};
  };
  // Several tiles of either kind, the last ones partial.
  for (const int order : {2, 8}) expect_equal_with_less_shared_memory<float>(problem({order + 4, 31, 70}, order));
  for (const int order : {4, 6}) expect_equal_with_less_shared_memory<double>(problem({order + 3, 19, 37}, order));
}

TEST_F(HeatSweep, IsBitwiseEqualWithoutTma) {
  const HeatProblem problem{.shape = {8, 21, 64}, .spacing = {1, 1.5, 0.8}, .order = 4};
  const std::vector<float> by_tma = stepped<float>(heat_ladder::simt::fused_sweeps, problem);
  emulate_gpu(80);
  EXPECT_FALSE(heat_ladder::simt::one_launch_is_possible<float>(heat_ladder::grid_of(problem), {}));
  EXPECT_EQ(stepped<float>(heat_ladder::simt::fused_sweeps, problem), by_tma);
  EXPECT_EQ(core::backend(Device::simt).take_findings().value_or(""), "");  // a TMA copy would trap
}

TEST_F(HeatSweep, ReplacesOneLaunchWithLessSharedMemory) {
  const HeatProblem problem{.shape = {12, 31, 70}, .spacing = {1, 1.5, 0.8}};
  const std::vector<float> by_sweeps = stepped<float>(heat_ladder::simt::fused_sweeps, problem);
  emulate_gpu(less_shared_memory);
  EXPECT_FALSE(heat_ladder::simt::one_launch_is_possible<float>(heat_ladder::grid_of(problem), {}));
  EXPECT_EQ(stepped<float>(heat_ladder::simt::one_launch, problem), by_sweeps);
}

TEST_F(HeatSweep, ReplacesOneLaunchForTooManyCells) {
  const auto is_possible = [](const GridView<const float>& field) {
    return heat_ladder::simt::one_launch_is_possible<float>(heat_ladder::grid_of({.shape = field.shape}), {field});
  };
  EXPECT_TRUE(is_possible(GridView<const float>::unchecked(nullptr, {1024, 1024, 2044})));
  EXPECT_FALSE(is_possible(GridView<const float>::unchecked(nullptr, {1024, 1024, 2048})));
  EXPECT_FALSE(is_possible(GridView<const float>::unchecked(nullptr, {1024, 1024, 1000}, 2052, 1024 * 2052)));
}

TEST_F(HeatSweep, ReportsMissingBarrier) {
  expect_race(heat_ladder::planted_heat_faults::fused_sweeps, {.shape = {13, 21, 64}}, 1, "shared",
              "heat/cuda/heat_sweep.cuh");
}

TEST_F(HeatSweep, ReportsNothingForCorrectSlabs) {
  for (const GridShape shape : {GridShape{30, 25, 32}, GridShape{50, 13, 32}}) {
    stepped<float>(heat_ladder::planted_heat_faults::one_launch, {.shape = shape});
    EXPECT_EQ(core::backend(Device::simt).take_findings().value_or(""), "");
  }
}

TEST_F(HeatSweep, ReportsSlabsReadBeforeArrival) {
  expect_race(heat_ladder::planted_heat_faults::one_launch, {.shape = {30, 25, 32}}, 2, "shared",
              "heat/cuda/heat_one_launch.cuh");
}

TEST_F(HeatSweep, ReportsSlabsLoadedTooEarly) {
  expect_race(heat_ladder::planted_heat_faults::one_launch, {.shape = {80, 13, 32}}, 3, "shared",
              "heat/cuda/heat_one_launch.cuh");
}

TEST_F(HeatSweep, ReportsSlabsPublishedWithoutAFence) {
  expect_race(heat_ladder::planted_heat_faults::one_launch, {.shape = {30, 25, 32}}, 4, "global",
              "heat/cuda/heat_one_launch.cuh");
}

TEST_F(HeatSweep, ReportsSlabsReleasedByOneLane) {
  expect_race(heat_ladder::planted_heat_faults::one_launch, {.shape = {40, 13, 32}}, 5, "shared",
              "heat/cuda/heat_one_launch.cuh");
}

}  // namespace
}  // namespace rafter

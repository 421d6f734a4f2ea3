// Heat runs: when output is written, and that an interrupted run ends with identical bits.
#include "apps/solve/heat_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "apps/solve/checkpoint.hpp"
#include "apps/solve/hdf5_field.hpp"
#include "apps/solve/heat_faces.hpp"
#include "apps/solve/initial.hpp"
#include "apps/solve/needs.hpp"
#include "apps/solve/npy.hpp"
#include "base/files.hpp"
#include "full_disk.hpp"
#include "workbench/draw/render.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::solve {
namespace {

namespace fs = std::filesystem;
using lab::expect_error;
using lab::TemporaryFolder;

class Heat : public testing::Test {
 protected:
  HeatPlan plan(std::int64_t n_steps, int order = 4) const {
    HeatPlan plan;
    plan.problem = {.shape = {11, 13, 17}, .spacing = {1, 0.9, 1.1}, .alpha = 0.7, .order = order};
    plan.problem.dt = heat_default_dt(plan.problem);
    plan.n_steps = n_steps;
    plan.report_every = 10;
    plan.checkpoint = CheckpointPlan{.path = path("c"), .every_steps = 7};
    return plan;
  }
  static HeatStart start(const HeatPlan& plan) {
    const Initial random{.kind = Initial::Kind::random, .seed = 3};
    return {initial_field(random, plan.problem.shape, plan.problem.spacing, plan.precision), 0, {}};
  }
  HeatOutcome run(const HeatPlan& plan, HeatStart from, const HeatWatcher& watcher = {}) const {
    return run_heat(stream_, plan, std::move(from), watcher);
  }
  HeatOutcome run(const HeatPlan& plan) const { return run(plan, start(plan)); }
  fs::path path(const char* name) const { return folder_.path() / name; }

  static std::string bits_of(const Field& field) {
    return std::visit(
        [](const auto& values) {
          return std::string(reinterpret_cast<const char*>(values.data()), std::as_bytes(std::span(values)).size());
        },
        field.values);
  }

  TemporaryFolder folder_;
  Stream stream_ = Stream::cpu(2);
};

/// Returns callbacks that stop a run at a step.
HeatWatcher stops_at(std::int64_t step, std::int64_t& seen) {
  return {.report = {},
          .progress = [&seen](const HeatProgress& at) { seen = at.step; },
          .stop = [&seen, step] { return seen >= step; }};
}

TEST_F(Heat, ResumedRunEndsWithTheSameBits) {
  for (const auto boundary : {HeatBoundary::frozen, HeatBoundary::periodic, HeatBoundary::zero_flux}) {
    for (const auto precision : {Precision::float32, Precision::float64}) {
      for (const int order : {2, 8}) {
        HeatPlan whole = plan(23, order);
        whole.faces = heat_faces(boundary);
        whole.precision = precision;
        run(whole);
        const std::string expected = bits_of(resume_heat(path("c")).start.field);

        std::int64_t seen = 0;
        EXPECT_EQ(run(whole, start(whole), stops_at(9, seen)).ending, HeatOutcome::Ending::stopped);
        while (true) {  // resumed from the file alone, and stopped again a few steps later
          ResumedHeat resumed = resume_heat(path("c"));
          resumed.plan.checkpoint = whole.checkpoint;
          resumed.plan.report_every = 5;
          EXPECT_GE(resumed.start.step, 9);
          const std::int64_t next = resumed.start.step + 4;
          if (run(resumed.plan, std::move(resumed.start), stops_at(next, seen)).ending ==
              HeatOutcome::Ending::finished) {
            break;
          }
        }
        const ResumedHeat end = resume_heat(path("c"));
        EXPECT_EQ(end.start.step, 23);
        EXPECT_TRUE(bits_of(end.start.field) == expected)
            << show_faces(whole.faces) << " " << name(precision) << " " << order;
      }
    }
  }
}

TEST_F(Heat, ResumedRunThroughAMediumEndsWithTheSameBits) {
  HeatPlan whole = plan(23, 2);
  whole.problem.shape = {1, 13, 17};
  whole.faces = parse_faces("zero-flux,x-=value:3,y+=flux:-0.5");
  const auto medium = [&] {
    const Initial random{.kind = Initial::Kind::random, .amplitude = whole.problem.alpha, .seed = 4};
    const auto made = [&] {
      return initial_field(random, whole.problem.shape, whole.problem.spacing, whole.precision);
    };
    return HeatMedium{made(), made()};
  };
  whole.medium = {checksum(*medium().diffusivity), checksum(*medium().source)};
  const auto begin = [&](HeatStart from) {
    from.medium = medium();
    return from;
  };
  run(whole, begin(start(whole)));
  const std::string expected = bits_of(resume_heat(path("c")).start.field);
  std::int64_t seen = 0;
  EXPECT_EQ(run(whole, begin(start(whole)), stops_at(9, seen)).ending, HeatOutcome::Ending::stopped);
  ResumedHeat resumed = resume_heat(path("c"));
  EXPECT_LT(resumed.start.step, 23);
  resumed.plan.checkpoint = whole.checkpoint;
  run(resumed.plan, begin(std::move(resumed.start)));
  EXPECT_TRUE(bits_of(resume_heat(path("c")).start.field) == expected);
}

TEST_F(Heat, WritesFieldsPicturesAndReportsWhenDue) {
  HeatPlan p = plan(25);
  p.series = SeriesPlan{path("run"), 10, FieldFormat::npy, false};
  if (!draw::why_no_drawing()) p.picture = PicturePlan{path("p.png"), 20, {}, {}};
  std::vector<std::int64_t> reported;
  const HeatOutcome outcome =
      run(p, start(p),
          {.report = [&](const HeatProgress& at, const HeatSummary&) { reported.push_back(at.step); },
           .progress = {},
           .stop = {}});
  EXPECT_EQ(outcome.ending, HeatOutcome::Ending::finished);
  EXPECT_EQ(reported, (std::vector<std::int64_t>{0, 10, 20, 25}));
  EXPECT_EQ(outcome.n_fields, 4);
  for (const char* file : {"run/heat_00000000.npy", "run/heat_00000010.npy", "run/heat_00000020.npy",
                           "run/heat_00000025.npy", "run/heat.xdmf", "c"}) {
    EXPECT_TRUE(fs::exists(path(file))) << file;
  }
  if (p.picture) {
    EXPECT_TRUE(fs::exists(path("p.png")));
    EXPECT_TRUE(fs::exists(path("p_00000020.png")));
  }
  const Field last = read_npy(path("run/heat_00000025.npy"));
  EXPECT_TRUE(bits_of(last) == bits_of(read_checkpoint(path("c")).field));
}

TEST_F(Heat, ContinuesASeriesWithoutGapsOrRepeats) {
  HeatPlan p = plan(30);
  p.series = SeriesPlan{path("run"), 10, FieldFormat::npy, false};
  std::int64_t seen = 0;
  run(p, start(p), stops_at(13, seen));
  ResumedHeat resumed = resume_heat(path("c"));
  resumed.plan.series = p.series;
  resumed.plan.checkpoint = p.checkpoint;
  EXPECT_EQ(run(resumed.plan, std::move(resumed.start)).n_fields, 4);
  const std::string index = base::read_file(path("run/heat.xdmf")).value();
  for (const char* file : {"00000000", "00000010", "00000020", "00000030"}) {
    EXPECT_NE(index.find(file), std::string::npos) << index;
  }
}

TEST_F(Heat, ResumedRunCanBeExtended) {
  HeatPlan p = plan(10);
  run(p);
  ResumedHeat resumed = resume_heat(path("c"));
  resumed.plan.n_steps = 20;
  resumed.plan.checkpoint = p.checkpoint;
  run(resumed.plan, std::move(resumed.start));
  const std::string twice = bits_of(resume_heat(path("c")).start.field);
  run(plan(20));
  EXPECT_TRUE(bits_of(resume_heat(path("c")).start.field) == twice);
}

TEST_F(Heat, WritesTheInitialFieldWithoutSteps) {
  HeatPlan p = plan(0);
  p.series = SeriesPlan{path("run"), 0, FieldFormat::npy, false};
  EXPECT_EQ(run(p).n_fields, 1);
}

TEST_F(Heat, ConservesTheTotalWhereTheBoundaryDoes) {
  for (const auto boundary : {HeatBoundary::periodic, HeatBoundary::zero_flux}) {
    HeatPlan p = plan(50);
    p.faces = heat_faces(boundary);
    p.precision = Precision::float64;
    const HeatOutcome outcome = run(p);
    EXPECT_NEAR(outcome.last.total, outcome.first.total, 1e-12 * outcome.first.total);
    EXPECT_GT(outcome.last.min, outcome.first.min);
    EXPECT_LT(outcome.last.max, outcome.first.max);
  }
}

TEST_F(Heat, StopsOnNonFiniteValuesAndKeepsTheCheckpoint) {
  HeatPlan p = plan(1000, 8);
  p.problem.dt = 0.99 * heat_largest_dt(p.problem);  // stable, but values grow fourfold within a step
  HeatStart hot = start(p);
  float value = 3e38f;
  for (float& cell : std::get<std::vector<float>>(hot.field.values)) cell = value = -value;  // extents are odd
  const HeatOutcome overflow = run(p, std::move(hot));
  EXPECT_EQ(overflow.ending, HeatOutcome::Ending::not_finite);
  EXPECT_EQ(overflow.step, 7);          // seen when it was to be kept
  EXPECT_FALSE(fs::exists(path("c")));  // nothing but infinities could be in it

  HeatStart broken = start(p);
  std::get<std::vector<float>>(broken.field.values)[100] = std::numeric_limits<float>::quiet_NaN();
  p.series = SeriesPlan{path("run"), 10, FieldFormat::npy, false};
  const HeatOutcome outcome = run(p, std::move(broken));
  EXPECT_EQ(outcome.ending, HeatOutcome::Ending::not_finite);
  EXPECT_EQ(outcome.step, 0);
  EXPECT_FALSE(fs::exists(path("run/heat_00000000.npy")));
}

TEST_F(Heat, NamesTheLastCheckpointOnAFullDisk) {
  HeatPlan p = plan(40);
  p.checkpoint->every_steps = 10;
  p.series = SeriesPlan{path("run"), 25, FieldFormat::npy, false};
  std::optional<FullDisk> full;
  const HeatWatcher watcher{.report = {},
                            .progress =
                                [&](const HeatProgress& at) {
                                  if (at.step > 20 && !full) full.emplace(4000);
                                },
                            .stop = {}};
  expect_error(ErrorCode::io,
               "the run stopped at step 25 of 40; resume it from its checkpoint of step 20: rafter solve heat --resume",
               [&] { run(p, start(p), watcher); });
  full.reset();
  EXPECT_EQ(resume_heat(path("c")).start.step, 20);

  fs::remove_all(path("run"));
  p.series->format = FieldFormat::hdf5;
  if (why_no_hdf5()) return;
  expect_error(ErrorCode::io, "its checkpoint of step 20", [&] { run(p, start(p), watcher); });
}

TEST_F(Heat, SavesTheFieldWhenOnlyTheOutputDiskIsFull) {
  HeatPlan p = plan(40);
  p.checkpoint->every_steps = 0;  // based on time: none is due
  p.series = SeriesPlan{path("run"), 25, FieldFormat::npy, false};
  const HeatWatcher watcher{.report = {},
                            .progress =
                                [&](const HeatProgress& at) {
                                  if (at.step < 25) return;
                                  fs::remove_all(path("run"));
                                  base::write_file(path("run"), "a file where the folder was");
                                },
                            .stop = {}};
  expect_error(ErrorCode::io, "its checkpoint of step 25", [&] { run(p, start(p), watcher); });
  EXPECT_EQ(resume_heat(path("c")).start.step, 25);
}

TEST_F(Heat, EstimatesNeedsBeforeTheRun) {
  HeatPlan p = plan(100);
  p.problem.shape = {100, 100, 100};
  EXPECT_EQ(memory_need(p).on(Device::cuda), 8'000'000);
  EXPECT_EQ(memory_need(p).on(Device::cpu), 12'000'000);
  EXPECT_EQ(largest_cube(p, Device::cuda, 8'000'000), 100);
  EXPECT_EQ(largest_cube(p, Device::cuda, 7'999'999), 99);
  p.faces = heat_faces(HeatBoundary::periodic);
  EXPECT_EQ(memory_need(p).on(Device::cuda), 2 * 4 * 116 * 116 * 116);  // order 4: radius 2, four stages
  EXPECT_EQ(memory_need(p).on(Device::cpu), 12'000'000);
  p.medium.source = 1;
  EXPECT_EQ(memory_need(p).solver_bytes, 4 * 4'000'000);  // two stages, the field and its source
  EXPECT_EQ(memory_need(p).host_bytes, 2 * 4'000'000);
  p.medium.source.reset();

  p.series = SeriesPlan{path("run"), 30, FieldFormat::npy, false};
  EXPECT_EQ(n_fields_to_write(p, 0), 5);  // 0, 30, 60, 90, 100
  EXPECT_EQ(n_fields_to_write(p, 60), 2);
  EXPECT_EQ(n_fields_to_write(p, 100), 0);
  p.series->every = 0;
  EXPECT_EQ(n_fields_to_write(p, 0), 2);
  p.series->every = 30;
  const auto needs = disk_needs(p, 0);
  ASSERT_EQ(needs.size(), 1u);
  EXPECT_NEAR(static_cast<double>(needs[0].bytes), 8 * 4e6,
              1e5);  // five fields, the checkpoint, the previous one and the next
  EXPECT_GT(needs[0].free_bytes, 0);
}

}  // namespace
}  // namespace rafter::solve

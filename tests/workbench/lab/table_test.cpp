#include "workbench/lab/report/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "base/pattern.hpp"
#include "doubling.hpp"

namespace rafter::lab {
namespace {

const Roofs table_roofs{.bandwidth = Bandwidth::flat(1e10, 1e10, 1e10), .launch_ns = 1500};

/// A case with two rungs and a peer, all verified.
struct Example {
  Workload workload = doubling_workload({{"thread_per_row", Device::cpu, RungKind::rung, "", ""},
                                         {"warp_per_row", Device::cpu, RungKind::rung, "", ""},
                                         {"cub_segmented", Device::cpu, RungKind::peer, "", ""}});
  CaseReport report{.workload = &workload,
                    .params = {{"rows", std::int64_t{1} << 20}, {"cols", std::int64_t{1000}}, {"dtype", "float32"}},
                    .cost = {.bytes_read = 1e9, .bytes_written = 1e6, .operations = operations_on(Unit::fp32, 1e9)},
                    .floor = {.ns = 100e6, .limit = Floor::Limit::memory},
                    .noise = 0.002};

  Example() {
    for (const Rung& rung : workload.rungs) report.rungs.push_back(timed(rung, 104e6));
    report.rungs[0] = timed(workload.rungs[0], 777e6);
  }
  static Measurement timed(const Rung& rung, double ns) {
    const std::vector<double> samples(30, ns);
    std::vector<int> rounds(samples.size());
    std::iota(rounds.begin(), rounds.end(), 0);
    return {.rung = &rung, .samples_ns = samples, .rounds = rounds, .summary = summarize(samples)};
  }
  std::string table(base::Style style = base::Style::plain, int width = 100) const {
    return ladder_table(report, table_roofs, style, width);
  }
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::ptrdiff_t code_points(const std::string& line) {
  return std::count_if(line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
}

void expect_fits(const std::string& table, int width = 100) {
  for (const std::string& line : lines_of(table)) EXPECT_LE(code_points(line), width) << line;
}

std::string line_with(const std::string& table, const std::string& part) {
  for (const std::string& line : lines_of(table)) {
    if (line.find(part) != std::string::npos) return line;
  }
  return "";
}

TEST(Table, HasALineForEveryRung) {
  const Example example;
  const std::string table = example.table();
  for (const Rung& rung : example.workload.rungs) EXPECT_NE(table.find(rung.name), std::string::npos) << table;
}

TEST(Table, HeadingNamesTheCaseAndItsFloor) {
  const std::string heading = lines_of(Example().table()).front();
  EXPECT_EQ(heading, "doubling  rows=2^20 cols=1000 dtype=float32   on cpu   floor 100 ms (memory)");
}

TEST(Table, RowShowsTimeRateShareAndRatios) {
  const std::string row = line_with(Example().table(), "warp_per_row");
  for (const char* part : {"104 ms", "9.62 GB/s", "96%", "7.47x", "1.00x"}) {
    EXPECT_NE(row.find(part), std::string::npos) << part << " in " << row;
  }
}

TEST(Table, ArithmeticBoundCasesShowTheOperationsOfTheLimitingUnit) {
  Example example;
  example.report.floor = {.ns = 100e6, .limit = Floor::Limit::arithmetic, .unit = Unit::fp32};
  EXPECT_NE(example.table().find("9.62 GFLOP/s"), std::string::npos) << example.table();
  EXPECT_NE(example.table().find("floor 100 ms (fp32)"), std::string::npos) << example.table();
  example.report.cost.operations[Unit::tensor_bf16] = 1e12;
  example.report.floor.unit = Unit::tensor_bf16;
  EXPECT_NE(example.table().find("9.62 TFLOP/s"), std::string::npos) << example.table();
  EXPECT_NE(example.table().find("floor 100 ms (tensor bf16)"), std::string::npos) << example.table();
}

TEST(Table, HeadingShowsThatSectorsSetTheFloor) {
  Example example;
  example.report.floor.limit = Floor::Limit::sectors;
  EXPECT_NE(example.table().find("floor 100 ms (memory, sectors)"), std::string::npos) << example.table();
}

TEST(Table, NoRungExceedsTheFloor) {
  Example example;
  example.report.floor.ns = 110e6;
  const std::string table = example.table();
  EXPECT_NE(line_with(table, "warp_per_row").find("100%"), std::string::npos) << table;
  EXPECT_NE(table.find("warp_per_row reaches 100% of the floor"), std::string::npos) << table;
}

TEST(Table, ConclusionComparesTheOpWithTheBestPeer) {
  const std::string table = Example().table();
  EXPECT_NE(table.find("warp_per_row reaches 96% of the floor; against cub_segmented: 1.00x"), std::string::npos)
      << table;
  EXPECT_NE(table.find("SAME"), std::string::npos) << table;
}

TEST(Table, ConclusionReportsATooNoisyMachine) {
  Example example;
  example.report.noise = 0.4;
  for (double& ns : example.report.rungs[1].samples_ns) ns *= 1.2;  // less than the noise, more than SAME allows
  EXPECT_NE(example.table().find("UNDECIDED:"), std::string::npos) << example.table();
  EXPECT_NE(example.table().find("this machine is too noisy,"), std::string::npos) << example.table();
  expect_fits(example.table());
}

TEST(Table, FitsAHundredColumns) { expect_fits(Example().table()); }

TEST(Table, FitsAHundredColumnsWithExtremeNumbers) {
  for (const double ns : {0.5, 999.4, 1e12}) {
    Example example;
    for (Measurement& m : example.report.rungs) m = Example::timed(*m.rung, ns);
    example.report.floor.ns = std::min(ns, 1e3);
    expect_fits(example.table());
  }
}

TEST(Table, FitsAHundredColumnsWithAllRegimes) {
  Example example;
  for (Measurement& m : example.report.rungs) {
    for (const Regime regime : {Regime::warm, Regime::graph, Regime::wall}) m.others[regime] = m.summary;
  }
  expect_fits(example.table());
}

// Columns that can be compared, not a sentence per rung.
TEST(Table, OtherRegimesAreATable) {
  Example example;
  for (Measurement& m : example.report.rungs) {
    m.others[Regime::warm] = summarize(std::vector{50e6});
    m.others[Regime::graph] = Summary{};
  }
  const std::string table = example.table();
  const std::string expected = R"(
  regimes                  cold      warm     graph
  thread_per_row         777 ms   50.0 ms         -
  warp_per_row           104 ms   50.0 ms         -
  peer cub_segmented     104 ms   50.0 ms         -
  -: not supported
)";
  EXPECT_NE(table.find(expected), std::string::npos) << table;
}

/// Makes lines as long as possible.
void crowd(Example& example) {
  example.workload.rungs[1].name = "block_per_row_of_all_pairs";  // longer than any real name
  example.report.device = Device::cuda;
  example.report.floor = {.ns = 100e6, .limit = Floor::Limit::arithmetic, .unit = Unit::tensor_bf16};
  for (Measurement& m : example.report.rungs) {
    m.n_launches = 12;
    for (const Regime regime : {Regime::warm, Regime::graph, Regime::wall}) m.others[regime] = m.summary;
  }
}

TEST(Table, FitsNarrowTerminalsWithWholeNames) {
  Example plain, crowded;
  crowd(crowded);
  using Case = std::pair<const Example*, int>;
  for (const auto& [example, width] :
       {Case(&plain, 60), {&plain, 80}, {&crowded, 72}, {&crowded, 80}, {&crowded, 100}}) {
    const std::string table = example->table(base::Style::plain, width);
    expect_fits(table, width);
    for (const Measurement& m : example->report.rungs) {
      const std::string line = line_with(table, m.rung->name + " ");
      EXPECT_NE(line, "") << table;
      EXPECT_EQ(code_points(line), code_points(line_with(table, "median"))) << table;
    }
  }
  const std::string table = Example().table(base::Style::plain, 80);
  EXPECT_NE(line_with(table, "warp_per_row").find("████▊"), std::string::npos) << table;  // a shorter bar, all numbers
  EXPECT_NE(line_with(table, "warp_per_row").find("9.62 GB/s"), std::string::npos) << table;
}

TEST(Table, FitsAHundredColumnsWithNamesAsLongAsTheirColumn) {
  Example example;
  for (Rung& rung : example.workload.rungs) rung.name = "block_per_row_pairs";
  ASSERT_EQ(example.workload.rungs[0].name.size(), 19u);
  expect_fits(example.table());
}

TEST(Table, FitsAHundredColumnsWhenAReasonIsLong) {
  Example example;
  const std::vector<float> actual{1.2345678f, 1.2345678f, 1e6f};
  const std::vector<double> expected{-9876.54321, 2, 3};
  example.report.rungs[0].status = Status::wrong;
  example.report.rungs[0].reason = compare<float>(actual, expected, [](std::int64_t) { return 1.234e-5; }).text();
  ASSERT_GT(example.report.rungs[0].reason.size(), 100u);
  expect_fits(example.table());
}

TEST(Table, UnverifiedRungsShowNoTime) {
  for (const Status status :
       {Status::wrong, Status::failed, Status::refused, Status::absent, Status::implausible, Status::suspicious}) {
    Example example;
    example.report.rungs[0].status = status;
    const std::string table = example.table();
    EXPECT_EQ(table.find("777"), std::string::npos) << table;
    EXPECT_NE(table.find(name(status)), std::string::npos) << table;
  }
}

TEST(Table, UnverifiedRungsShowTheirReason) {
  Example example;
  example.report.rungs[0].status = Status::refused;
  example.report.rungs[0].reason = "needs an even size";
  EXPECT_NE(line_with(example.table(), "needs an even size").find("thread_per_row"), std::string::npos);
}

TEST(Table, WrongOpIsNotTheConclusion) {
  Example example;
  example.report.rungs[1].status = Status::wrong;
  EXPECT_EQ(example.table().find("warp_per_row reaches"), std::string::npos) << example.table();
}

TEST(Table, WithoutVerifiedRungsHasNoConclusion) {
  Example example;
  for (Measurement& m : example.report.rungs) m.status = Status::failed;
  EXPECT_EQ(example.table().find("reaches"), std::string::npos) << example.table();
}

TEST(Table, PlainStyleHasNoEscapeCodes) {
  Example example;
  example.report.rungs[0].status = Status::wrong;
  EXPECT_EQ(example.table(base::Style::plain).find('\x1b'), std::string::npos);
}

TEST(Table, ColouredStyleOnlyAddsEscapeCodes) {
  Example example;
  example.report.rungs[0].status = Status::wrong;
  const std::string coloured = example.table(base::Style::coloured);
  EXPECT_NE(coloured.find('\x1b'), std::string::npos);
  EXPECT_EQ(base::Pattern("\x1b\\[[0-9;]*m").replace(coloured, ""), example.table(base::Style::plain));
}

TEST(Table, RowsAreAligned) {
  const std::string table = Example().table();
  EXPECT_EQ(code_points(line_with(table, "rung ")), code_points(line_with(table, "thread_per_row")));
  EXPECT_EQ(code_points(line_with(table, "rung ")), code_points(line_with(table, "warp_per_row")));
}

TEST(Table, ArithmeticRatesAndWideIntervalsAreAligned) {
  Example example;
  example.report.floor = {.ns = 100e6, .limit = Floor::Limit::arithmetic, .unit = Unit::fp32};
  example.report.rungs[0].summary.interval_high *= 5;
  EXPECT_EQ(code_points(line_with(example.table(), "rung ")),
            code_points(line_with(example.table(), "thread_per_row")));
  expect_fits(example.table());
}

// ---- sweeps ----

/// The example at three values of cols; the second's first rung is wrong.
struct SweepExample {
  Example example;
  Parameter cols{"cols", "number of columns", std::int64_t{10}, true};
  std::vector<CaseReport> reports;

  SweepExample() {
    for (const std::int64_t value : {std::int64_t{1000}, std::int64_t{2000}, std::int64_t{1} << 12}) {
      reports.push_back(example.report);
      reports.back().params.set("cols", value);
      reports.back().floor.ns *= static_cast<double>(value) / 1000;
      for (Measurement& m : reports.back().rungs) {
        m = Example::timed(*m.rung, m.summary.median * static_cast<double>(value) / 1000);
      }
    }
    reports[1].rungs[0] = {.rung = &example.workload.rungs[0], .status = Status::wrong, .reason = "one is off"};
  }
  std::string table(base::Style style = base::Style::plain, int width = 100) const {
    return sweep_table(cols, reports, table_roofs, style, width);
  }
};

TEST(SweepTable, HasALineForEveryValueAndRung) {
  EXPECT_EQ(SweepExample().table(), R"(doubling  rows=2^20 dtype=float32   on cpu, by cols
  cols  rung                   median     95%        rate  floor              x first   x peer
  1000  floor (memory)         100 ms
  1000  thread_per_row         777 ms  ± 0.0%   1.29 GB/s    13% █▌             1.00x    0.13x
  1000  warp_per_row           104 ms  ± 0.0%   9.62 GB/s    96% ███████████▌   7.47x    1.00x
  1000  peer cub_segmented     104 ms  ± 0.0%   9.62 GB/s    96% ███████████▌   7.47x        -
  2000  floor (memory)         200 ms
  2000  thread_per_row      WRONG
  2000  warp_per_row           208 ms  ± 0.0%   4.81 GB/s    96% ███████████▌   1.00x    1.00x
  2000  peer cub_segmented     208 ms  ± 0.0%   4.81 GB/s    96% ███████████▌   1.00x        -
  2^12  floor (memory)         410 ms
  2^12  thread_per_row         3.18 s  ± 0.0%    315 MB/s    13% █▌             1.00x    0.13x
  2^12  warp_per_row           426 ms  ± 0.0%   2.35 GB/s    96% ███████████▌   7.47x    1.00x
  2^12  peer cub_segmented     426 ms  ± 0.0%   2.35 GB/s    96% ███████████▌   7.47x        -
  cols = 1000, 2000, 2^12: warp_per_row reaches 96% of the floor; against cub_segmented: 1.00x
    (1.00x to 1.00x) SAME
  cols = 2000: thread_per_row WRONG: one is off
)");
}

TEST(SweepTable, FitsAHundredColumnsWithLongNamesAndRates) {
  SweepExample sweep;
  sweep.cols.name = "kernel_width_of_all";
  for (CaseReport& report : sweep.reports) {
    report.params.set(sweep.cols.name, std::int64_t{123456789012345678});
    report.floor.limit = Floor::Limit::arithmetic;
    for (Measurement& m : report.rungs) {
      for (const Regime regime : {Regime::warm, Regime::graph, Regime::wall}) m.others[regime] = m.summary;
    }
  }
  expect_fits(sweep.table());
  EXPECT_NE(sweep.table().find("kernel_width_of_all  rung"), std::string::npos) << sweep.table();
}

TEST(SweepTable, FitsNarrowTerminalsWithWholeNames) {
  SweepExample sweep;
  for (CaseReport& report : sweep.reports) {
    report.floor.limit = Floor::Limit::sectors;
    for (Measurement& m : report.rungs) {
      if (m.status != Status::verified) continue;
      m.n_launches = 3;
      for (const Regime regime : {Regime::warm, Regime::graph, Regime::wall}) m.others[regime] = m.summary;
    }
  }
  for (const int width : {72, 80, 100}) {
    const std::string table = sweep.table(base::Style::plain, width);
    expect_fits(table, width);
    EXPECT_NE(table.find("2^12  peer cub_segmented"), std::string::npos) << table;
    EXPECT_NE(table.find("cols  regimes "), std::string::npos) << table;
    EXPECT_NE(table.find("floor (memory, sectors)"), std::string::npos) << table;
  }
}

TEST(SweepTable, ColouredStyleOnlyAddsEscapeCodes) {
  const SweepExample sweep;
  EXPECT_EQ(base::Pattern("\x1b\\[[0-9;]*m").replace(sweep.table(base::Style::coloured), ""), sweep.table());
}

TEST(Table, ShortGpuTimesAreShownWithAnEmptyKernel) {
  Example example;
  EXPECT_EQ(example.table().find("empty kernel"), std::string::npos);
  example.report.device = Device::cuda;
  example.report.rungs[1] = Example::timed(example.workload.rungs[1], 5e3);
  EXPECT_NE(example.table().find("an empty kernel takes 1.50 us here"), std::string::npos) << example.table();
}

TEST(Table, LaunchesAreShownIfARungHasSeveral) {
  Example example;
  example.report.device = Device::cuda;
  for (Measurement& m : example.report.rungs) m.n_launches = 1;
  EXPECT_EQ(example.table().find("launches"), std::string::npos) << example.table();
  example.report.rungs[0] = Example::timed(example.workload.rungs[0], 25e3);
  example.report.rungs[0].n_launches = 10;
  example.report.rungs[1] = Example::timed(example.workload.rungs[1], 5e3);
  example.report.rungs[1].n_launches = 1;
  example.report.rungs[2].n_launches = std::nullopt;
  const std::string table = example.table();
  expect_fits(table);
  EXPECT_NE(line_with(table, "median").find("rung                 launches    median"), std::string::npos) << table;
  EXPECT_NE(line_with(table, "thread_per_row").find("        10   25.0 us"), std::string::npos) << table;
  EXPECT_NE(line_with(table, "peer cub_segmented").find("         -    104 ms"), std::string::npos) << table;
  EXPECT_NE(table.find("launch-bound: thread_per_row (launches alone 15.0 us)\n"), std::string::npos) << table;
  EXPECT_NE(table.find("an empty kernel takes 1.50 us here"), std::string::npos) << table;
}

}  // namespace
}  // namespace rafter::lab

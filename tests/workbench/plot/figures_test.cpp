// Ladder and roofline figures of results files.
#include "workbench/plot/figures.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "rafter/error.hpp"

namespace rafter::plot {
namespace {

using nlohmann::json;

json timed(const std::string& name, std::int64_t n, double ns, const char* kind = "rung") {
  json one{{"workload", "heat"},
           {"params", {{"n", n}}},
           {"device", "cpu"},
           {"regime", "cold"},
           {"rung", name},
           {"kind", kind},
           {"verified", ns > 0},
           {"floor_ns", 100.},
           {"bytes_read", 600.},
           {"bytes_written", 400.},
           {"operations", {{"fp32", 2000. * static_cast<double>(n)}, {"special", 1.}}}};
  if (ns > 0) one["median_ns"] = ns;
  return one;
}

json two_cases() {
  return {{"machine", {{"cpu", "A"}, {"threads", 2}}},
          {"roofs", {{"read_bytes_per_s", 1e10}, {"operations_per_s", {{"fp32", 1e11}}}}},
          {"results",
           {timed("library", 1, 300, "peer"), timed("plain", 1, 1000), timed("wrong", 1, 0), timed("op", 1, 125),
            timed("plain", 16, 2000), timed("op", 16, 90)}}};
}

TEST(LadderFigure, HasABarForEachVerifiedRung) {
  const draw::Figure figure = ladder_figure(cases_of(two_cases()), "A");
  draw::require_drawable(figure);
  ASSERT_EQ(figure.panels.size(), 2u);
  EXPECT_EQ(figure.title, "heat on A");
  const auto& panel = std::get<draw::BarPanel>(figure.panels[0]);
  ASSERT_EQ(panel.bars.size(), 3u);
  EXPECT_EQ(panel.bars[0].label, "plain") << "rungs before peers";
  EXPECT_EQ(panel.bars[1].label, "op");
  EXPECT_DOUBLE_EQ(panel.bars[1].value, 80);
  EXPECT_EQ(panel.bars[1].note, "125 ns, 8.00x");
  EXPECT_EQ(panel.bars[2].label, "peer library");
  EXPECT_EQ(std::get<draw::BarPanel>(figure.panels[1]).bars[1].value, 100) << "no more than the floor";
}

json counted(const std::string& name, double bytes_moved) {
  json one = timed(name, 1, 0);
  one["verified"] = bytes_moved > 0;
  one["device"] = "simt";
  if (bytes_moved > 0) {
    one["counts"] = {{"bytes_moved", bytes_moved}, {"bytes_asked", 1000.}};
    one["estimate"] = {{"gpu", "H200"}, {"ns", 2240.}};
  }
  return one;
}

TEST(CountsFigure, HasABarForEachCountedRung) {
  const json results{{"results", {counted("plain", 1000), counted("chunk", 8000), counted("wrong", 0)}}};
  const draw::Figure figure = counts_figure(cases_of(results, Untimed::kept), "an executor");
  draw::require_drawable(figure);
  EXPECT_NE(figure.subtitle.find("no time was measured"), std::string::npos);
  ASSERT_EQ(figure.panels.size(), 1u);
  const auto& panel = std::get<draw::BarPanel>(figure.panels[0]);
  ASSERT_EQ(panel.bars.size(), 2u);
  EXPECT_DOUBLE_EQ(panel.bars[1].value, 8);
  EXPECT_EQ(panel.bars[1].note, "8.00 kB, estimate 2.24 us");
  EXPECT_THROW(counts_figure(cases_of(two_cases()), "A"), Error) << "times are not drawn as counts";
}

TEST(RooflineFigure, HasPointsUnderTheRoofs) {
  const json results = two_cases();
  const draw::Figure figure = roofline_figure(results, cases_of(results), "A");
  draw::require_drawable(figure);
  ASSERT_EQ(figure.panels.size(), 1u);
  const auto& panel = std::get<draw::ChartPanel>(figure.panels[0]);
  ASSERT_EQ(panel.series.size(), 4u);
  EXPECT_EQ(panel.series[0].name, "plain");
  ASSERT_EQ(panel.series[0].points.size(), 2u) << "one for each case";
  EXPECT_DOUBLE_EQ(panel.series[0].points[0].x, 2);
  EXPECT_DOUBLE_EQ(panel.series[0].points[0].y, 2e9);
  const draw::Series& roof = panel.series.back();
  EXPECT_EQ(roof.look, draw::Look::reference);
  EXPECT_DOUBLE_EQ(roof.points[1].x, 10) << "the ridge";
  EXPECT_DOUBLE_EQ(roof.points[0].y, 1e10 * roof.points[0].x);
}

TEST(RooflineFigure, NamesTheSizesOfASweep) {
  const auto notes_of = [](const json& results) {
    std::vector<std::string> names;
    const draw::Figure figure = roofline_figure(results, cases_of(results), "A");
    for (const draw::Note& note : std::get<draw::ChartPanel>(figure.panels[0]).notes) names.push_back(note.text);
    return names;
  };
  json results = two_cases();
  EXPECT_EQ(notes_of(results), (std::vector<std::string>{"memory 10.0 GB/s", "fp32 100 GFLOP/s", "n=1", "n=16"}));
  results["results"].erase(5), results["results"].erase(4);
  EXPECT_EQ(notes_of(results).size(), 2u) << "a single case needs no name";
}

std::string why_no_roofline(const json& results) {
  try {
    roofline_figure(results, cases_of(results), "A");
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(RooflineFigure, ReportsMissingData) {
  EXPECT_TRUE(why_no_roofline(json::array()).starts_with("not a results file of 'rafter run'"));
  json results = two_cases();
  results["roofs"].erase("operations_per_s");
  EXPECT_EQ(why_no_roofline(results), "these results have no roofs for fp32");
  for (json& one : results["results"]) one["operations"] = json::object();
  EXPECT_TRUE(why_no_roofline(results).starts_with("no case in these results has arithmetic operations"));
  for (json& one : results["results"]) one["verified"] = false;
  EXPECT_EQ(why_no_roofline(results), "nothing to draw: no rung has verified times");
}

}  // namespace
}  // namespace rafter::plot

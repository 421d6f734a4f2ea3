// Sweeps of results files and their figures.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "rafter/error.hpp"
#include "workbench/draw/render.hpp"
#include "workbench/plot/figures.hpp"

namespace rafter::plot {
namespace {

using nlohmann::json;

json result(const std::string& rung, const json& n, double median_ns, const char* kind = "rung") {
  json one{{"workload", "sum"}, {"params", {{"n", n}, {"dtype", "float32"}}},
           {"device", "cpu"},   {"rung", rung},
           {"kind", kind},      {"verified", median_ns > 0},
           {"regime", "cold"},  {"floor_ns", n.is_number() ? n.get<double>() : 5.}};
  if (median_ns > 0) one["median_ns"] = median_ns;
  return one;
}

/// Results with descending n: plain takes 8 n, the op 2 n but has no time at 4096, and Eigen takes 4 n.
json example() {
  json results = json::array();
  for (const int n : {16384, 4096, 1024}) {
    results.push_back(result("plain", n, 8. * n));
    results.push_back(result("never", n, 0));
    results.push_back(result("chunked", n, n == 4096 ? 0 : 2. * n));
    results.push_back(result("eigen", n, 4. * n, "peer"));
  }
  return {{"machine", {{"cpu", "Neoverse-V1"}, {"threads", 2}}},
          {"sweep", {{"parameter", "n"}, {"meaning", "number of elements"}}},
          {"results", results}};
}

const draw::ChartPanel& chart(const draw::Figure& figure, std::size_t i) {
  return std::get<draw::ChartPanel>(figure.panels.at(i));
}

std::vector<std::string> names(const draw::ChartPanel& panel) {
  std::vector<std::string> all;
  for (const draw::Series& series : panel.series) all.push_back(series.name);
  return all;
}

draw::Figure figure_of(const json& results) { return sweep_figure(sweeps_of(results), machine_of(results)); }

std::string complaint(const json& results, const std::string& parameter = "") {
  try {
    sweep_figure(sweeps_of(results, parameter), "");
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Sweep, HasCurvesOverSortedValues) {
  const auto sweeps = sweeps_of(example());
  ASSERT_EQ(sweeps.size(), 1u);
  const Sweep& sweep = sweeps[0];
  ASSERT_EQ(sweep.values.size(), 3u);
  EXPECT_EQ(sweep.values[0].text, "2^10");
  EXPECT_EQ(sweep.values[2].at, 16384);
  EXPECT_EQ(sweep.floors_ns, (std::vector<double>{1024, 4096, 16384}));
  ASSERT_EQ(sweep.curves.size(), 4u);
  EXPECT_EQ(sweep.curves[0].ns, (std::vector<double>{8 * 1024, 8 * 4096, 8 * 16384}));
  EXPECT_TRUE(std::isnan(sweep.curves[2].ns[1]));
  EXPECT_EQ(sweep.curves[3].kind, Curve::Kind::peer);
  EXPECT_EQ(sweep.others, std::vector<std::string>{"dtype=float32"});
}

TEST(Sweep, DefaultsToTheOnlyParameterThatVaries) {
  json results = example();
  results.erase("sweep");
  EXPECT_EQ(sweeps_of(results)[0].parameter, "n");
  for (json& one : results["results"]) one["params"]["n"] = 5;
  EXPECT_EQ(complaint(results), "these results are not a sweep: no parameter has several values");
  results["results"][0]["params"] = {{"n", 6}, {"dtype", "float64"}};
  EXPECT_EQ(complaint(results), "several parameters have several values (dtype, n): select one with --by");
  EXPECT_EQ(sweeps_of(results, "dtype").size(), 2u);
}

TEST(Sweep, ExistsForEachCombinationOfTheOtherParameters) {
  json results = example();
  const json once = results["results"];
  for (json one : once) {
    one["params"]["dtype"] = "float64";
    results["results"].push_back(one);
  }
  const draw::Figure figure = figure_of(results);
  ASSERT_EQ(figure.panels.size(), 4u);
  EXPECT_EQ(chart(figure, 0).title, "dtype=float32: time of a call");
  EXPECT_EQ(chart(figure, 2).title, "dtype=float64: time of a call");
  EXPECT_EQ(figure.subtitle, "medians, cold caches");
}

TEST(Sweep, RejectsOtherFiles) {
  EXPECT_TRUE(complaint(json::array()).starts_with("not a results file of 'rafter run'")) << complaint(json::array());
  EXPECT_EQ(complaint({{"results", json::array()}}), "it has no results");
  EXPECT_EQ(complaint(example(), "m"), "unknown parameter of these results 'm': did you mean 'n'?");
  json bad = example();
  bad["results"][1].erase("floor_ns");
  EXPECT_EQ(complaint(bad), "none");  // the first result of a value has the floor
  bad["results"][0].erase("params");
  EXPECT_TRUE(complaint(bad).starts_with("not a results file of 'rafter run'"));
}

TEST(SweepFigure, ShowsVerifiedTimesPeersAndTheFloor) {
  const draw::Figure figure = figure_of(example());
  EXPECT_EQ(figure.title, "sum on Neoverse-V1, 2 threads");
  EXPECT_EQ(figure.subtitle, "dtype=float32; medians, cold caches");
  ASSERT_EQ(figure.panels.size(), 2u);
  const draw::ChartPanel& times = chart(figure, 0);
  EXPECT_EQ(names(times), (std::vector<std::string>{"plain", "chunked", "peer eigen", "floor"}));
  EXPECT_EQ(times.series[0].look, draw::Look::solid);
  EXPECT_EQ(times.series[2].look, draw::Look::dashed);
  EXPECT_EQ(times.series[3].look, draw::Look::reference);
  EXPECT_EQ(times.series[3].points[2].y, 16384);  // the floor depends on the parameter
  EXPECT_TRUE(std::isnan(times.series[1].points[1].y));
  EXPECT_EQ(times.x.scale, draw::Scale::log2);
  EXPECT_EQ(times.x.label + " | " + times.x.unit, "n | number of elements");
  EXPECT_EQ(times.x.ticks.size(), 3u);
  EXPECT_EQ(times.y.scale, draw::Scale::log10);
  draw::require_drawable(figure);
}

TEST(SweepFigure, ShowsTheOpOverTheFirstRungAndThePeers) {
  const draw::ChartPanel speedup = chart(figure_of(example()), 1);
  EXPECT_EQ(speedup.title, "speedup of chunked");
  EXPECT_EQ(names(speedup), (std::vector<std::string>{"over plain", "over peer eigen"}));
  EXPECT_EQ(speedup.series[0].points[0].y, 4);
  EXPECT_TRUE(std::isnan(speedup.series[0].points[1].y));
  EXPECT_EQ(speedup.series[1].points[2].y, 2);
  EXPECT_EQ(speedup.series[1].identity, std::size_t{3});  // Eigen's colour, as in the other panel
}

TEST(SweepFigure, HasNoSpeedupForASingleRung) {
  json results = example();
  std::erase_if(results["results"].get_ref<json::array_t&>(), [](const json& one) { return one["rung"] != "plain"; });
  EXPECT_EQ(figure_of(results).panels.size(), 1u);
}

TEST(SweepFigure, PlacesWordsAtTheirNames) {
  json results = example();
  results["results"] = {result("plain", "float16", 7), result("plain", "bfloat16", 9)};
  const draw::ChartPanel times = chart(figure_of(results), 0);
  EXPECT_EQ(times.series[0].marks, draw::Marks::points);
  ASSERT_EQ(times.x.ticks.size(), 2u);
  EXPECT_EQ(times.x.ticks[1].label, "bfloat16");
  EXPECT_EQ(times.series[0].points[1].x, times.x.ticks[1].value);
}

TEST(SweepFigure, ChoosesTheScaleWithEvenSpacing) {
  const auto scale = [](const std::vector<json>& values) {
    json results = example();
    results["results"] = json::array();
    for (const json& value : values) results["results"].push_back(result("plain", value, 9));
    return chart(figure_of(results), 0).x.scale;
  };
  EXPECT_EQ(scale({1, 2, 3, 4, 5}), draw::Scale::linear);
  EXPECT_EQ(scale({1000, 2000, 3000, 10000}), draw::Scale::log10);
  EXPECT_EQ(scale({10, 100, 1000}), draw::Scale::log10);
  EXPECT_EQ(scale({32, 64, 512}), draw::Scale::log2);
  EXPECT_EQ(scale({0, 64, 512}), draw::Scale::linear);  // a logarithm has no zero
  EXPECT_EQ(scale({"2", "4", "6", "8"}), draw::Scale::linear);
  EXPECT_EQ(scale({1000, 1100}), draw::Scale::linear);
}

TEST(SweepFigure, RejectsResultsWithoutVerifiedTimes) {
  json results = example();
  for (json& one : results["results"]) one["verified"] = false;
  EXPECT_EQ(complaint(results), "nothing to draw: no rung has verified times");
}

TEST(SweepFigure, IsDrawn) {
  if (const auto reason = draw::why_no_drawing()) GTEST_SKIP() << *reason;
  EXPECT_TRUE(render(figure_of(example()), draw::Format::svg).ends_with("</svg>\n"));
}

}  // namespace
}  // namespace rafter::plot

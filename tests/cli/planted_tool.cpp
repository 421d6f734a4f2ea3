// The tool over rungs with planted faults.
#include <chrono>
#include <limits>
#include <thread>

#include "cli/run/commands.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/doubling.hpp"

namespace rafter::lab {
namespace {

Rung rung(const std::string& name, void (*run)(Doubling& work, int set)) {
  return {name,
          Device::cpu,
          RungKind::rung,
          "planted: " + name,
          "tests/cli/planted_tool.cpp",
          [run](Case& work, const Stream&, int set) { run(dynamic_cast<Doubling&>(work), set); }};
}

const Workload& planted() {
  static const Workload workload = [] {
    Workload w = doubling_workload({
        rung("right", [](Doubling& work, int set) { work.solve(set); }),
        rung("slow",
             [](Doubling& work, int set) {
               work.solve(set);
               std::this_thread::sleep_for(std::chrono::milliseconds(3));
             }),
        rung("short_tail", [](Doubling& work, int set) { work.solve(set, Doubling::n - 1); }),
        rung("past_the_end",
             [](Doubling& work, int set) {
               work.solve(set);
               work.out.data()[Doubling::n] = 1;
             }),
        rung("nan",
             [](Doubling& work, int set) {
               work.solve(set);
               work.out.data()[Doubling::n / 2] *= std::numeric_limits<float>::quiet_NaN();
             }),
        rung("refuses", [](Doubling&, int) { throw Error(ErrorCode::unsupported, "only for even Tuesdays"); }),
    });
    w.standard_cases = [](Device, Effort) { return std::vector<Params>{{}}; };
    return w;
  }();
  return workload;
}

}  // namespace
}  // namespace rafter::lab

int main(int argc, char** argv) {
  return rafter::cli::tool(argc, argv, rafter::cli::run_commands({{&rafter::lab::planted()}, {}}));
}

#include "workbench/trial/counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>

#include "base/files.hpp"
#include "base/stop_signals.hpp"
#include "base/units.hpp"
#include "executor/build/cache.hpp"
#include "executor/build/toolchain.hpp"
#include "executor/device/simt_device.hpp"
#include "rafter/error.hpp"
#include "workbench/trial/executor.hpp"

namespace rafter::trial {

namespace {

using nlohmann::json;

/// All requests of one memory space and kind, summed over kernels and lines.
struct Total {
  double requests = 0, lanes = 0, bytes = 0, moved = 0, ideal = 0;

  double over_ideal() const { return ideal > 0 ? moved / ideal : 0; }
};

Total total_of(const json& report, const char* space, const char* kind) {
  Total total;
  if (!report.contains("counts")) return total;
  for (const auto& [kernel, counts] : report["counts"].items()) {
    for (const json& place : counts["places"]) {
      if (place["space"] != space || place["kind"] != kind) continue;
      const bool global = place["space"] == "global";
      total.requests += place["requests"].get<double>();
      total.lanes += place["lanes"].get<double>();
      total.bytes += place["bytes"].get<double>();
      total.moved += place[global ? "sectors" : "wavefronts"].get<double>();
      total.ideal += place[global ? "ideal_sectors" : "ideal_wavefronts"].get<double>();
    }
  }
  return total;
}

double barrier_arrivals(const json& report) {
  double arrivals = 0;
  if (!report.contains("counts")) return 0;
  for (const auto& [kernel, counts] : report["counts"].items()) {
    for (const json& barrier : counts["barriers"]) arrivals += barrier["arrivals"].get<double>();
  }
  return arrivals;
}

double launches(const json& report) {
  double n = 0;
  if (!report.contains("counts")) return 0;
  for (const auto& [kernel, counts] : report["counts"].items()) n += counts["launches"].get<double>();
  return n;
}

/// Returns the distance of two counts in doublings; counts near zero are equal.
double apart(double a, double b) {
  constexpr double little = 0.03;
  return std::abs(std::log2((a + little) / (b + little)));
}

double distance(const std::vector<Counter>& a, const std::vector<Counter>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].weight * apart(a[i].value, b[i].value);
  return sum;
}

/// Whether the most characteristic counters differ by an order of magnitude: active lanes, bytes loaded, launches.
bool is_another_algorithm(const std::vector<Counter>& a, const std::vector<Counter>& b) {
  constexpr double doublings = 3;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].weight >= 2 && apart(a[i].value, b[i].value) > doublings) return true;
  }
  return false;
}

/// Returns "FILE:LINE:" and the source line below it.
std::string source_line(const json& place) {
  const std::string words = place["text"];
  const int line = place["line"];
  return fmt::format("{}:{}:\n{:>11} | {}", place["file"].get<std::string>(), line, line,
                     words.substr(std::min(words.find_first_not_of(" \t"), words.size())));
}

/// The sum of one kind of access to global memory, and the line with most of it.
struct AccessTotal {
  double sum = 0, of_line = 0;
  std::string line{};
};

AccessTotal total_accesses(const json& report, const char* kind, const char* count) {
  AccessTotal total;
  std::map<std::string, double> of_lines;
  if (!report.contains("counts")) return total;
  for (const auto& [kernel, counts] : report["counts"].items()) {
    for (const json& at : counts["places"]) {
      if (at["space"] != "global" || at["kind"] != kind) continue;
      const auto n = at[count].get<double>();
      total.sum += n;
      if (const json& place = at["place"]; place.is_object() && place.contains("file"))
        of_lines[source_line(place)] += n;
    }
  }
  for (const auto& [line, n] : of_lines) {
    if (n > total.of_line) total = {total.sum, n, line};
  }
  return total;
}

struct CountedRung {
  const lab::Rung* rung;
  std::vector<Counter> counters;
};

/// The file with the counters of a ladder, which depend on this build of Rafter only.
std::filesystem::path ladder_file(const lab::Exercise& exercise) {
  simt::build::Digest digest;
  digest.add(exercise.kernel);
  digest.add_stamp(simt::build::this_program());
  digest.add_stamp(simt::build::toolchain().runtime_library);
  return base::cache_folder() / "try" / ("ladder-" + digest.text() + ".json");
}

/// Returns the counters of the ladder that an earlier call kept, or none.
std::vector<CountedRung> kept_ladder(const lab::Exercise& exercise, const lab::Workload& workload) {
  std::vector<CountedRung> all;
  const json kept = json::parse(base::read_file(ladder_file(exercise)).value_or(""), nullptr, false);
  if (!kept.is_array()) return {};
  for (const json& one : kept) {
    const auto rung = std::find_if(workload.rungs.begin(), workload.rungs.end(), [&](const lab::Rung& candidate) {
      return candidate.device == Device::simt && candidate.name == one.value("rung", "");
    });
    if (rung == workload.rungs.end()) return {};
    CountedRung counted{&*rung, counters_of(json::object(), {})};
    const json values = one.value("counters", json::array());
    if (values.size() != counted.counters.size()) return {};
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!values[i].is_number()) return {};
      counted.counters[i].value = values[i].get<double>();
    }
    all.push_back(std::move(counted));
  }
  return all;
}

void keep_ladder(const lab::Exercise& exercise, const std::vector<CountedRung>& ladder) {
  json kept = json::array();
  for (const CountedRung& one : ladder) {
    json values = json::array();
    for (const Counter& counter : one.counters) values.push_back(counter.value);
    kept.push_back({{"rung", one.rung->name}, {"counters", values}});
  }
  try {
    base::write_file(ladder_file(exercise), kept.dump());
  } catch (const Error&) {  // a cache that cannot be written
  }
}

std::vector<CountedRung> count_ladder(const lab::Exercise& exercise, const lab::Workload& workload) {
  const lab::Params& params = *exercise.ladder_case;
  std::vector<CountedRung> all = kept_ladder(exercise, workload);
  if (!all.empty()) return all;
  const Stream stream = Stream::on(Device::simt);
  for (const lab::Rung* rung : rungs_on(workload, Device::simt)) {
    if (!rung->run) continue;
    base::stop_if_asked();
    try {
      lab::Cost cost;
      const std::string report = simt::count_accesses([&] {
        const auto work = workload.make_case(complete(workload, params), stream, {.seed = 1, .n_input_sets = 1});
        cost = work->cost();
        rung->run(*work, stream, 0);
      });
      all.push_back({rung, counters_of(json::parse(report), cost)});
    } catch (const Error&) {  // a rung that does not support this case
    }
  }
  keep_ladder(exercise, all);
  return all;
}

}  // namespace

std::vector<Counter> counters_of(const json& report, const lab::Cost& cost) {
  const Total loads = total_of(report, "global", "load"), stores = total_of(report, "global", "store"),
              atomics = total_of(report, "global", "atomic"), shared_loads = total_of(report, "shared", "load"),
              shared_stores = total_of(report, "shared", "store"),
              shared_atomics = total_of(report, "shared", "atomic");
  const double passes = shared_loads.moved + shared_stores.moved, ideal = shared_loads.ideal + shared_stores.ideal;
  const double n_words = std::max({cost.bytes_read, cost.bytes_written, 4.}) / 4;
  const auto over = [](double bytes, double least) { return least > 0 ? bytes / least : 0; };
  return {{"active lanes per load of a warp", loads.requests > 0 ? loads.lanes / loads.requests : 0, 2},
          {"bytes per load of a thread", loads.lanes > 0 ? loads.bytes / loads.lanes : 0},
          {"bytes loaded over the least", over(loads.bytes, cost.bytes_read), 3},
          {"sectors over ideal, loads", loads.over_ideal()},
          {"sectors over ideal, stores", stores.over_ideal()},
          {"bytes stored over the least", over(stores.bytes, cost.bytes_written)},
          {"atomics per input word", atomics.lanes / n_words},
          {"shared accesses per input word", (shared_loads.lanes + shared_stores.lanes) / n_words},
          {"shared atomics per input word", shared_atomics.lanes / n_words},
          {"bank passes over ideal", ideal > 0 ? passes / ideal : 0},
          {"barrier arrivals per input word", barrier_arrivals(report) / n_words},
          {"launches", launches(report), 2}};
}

std::optional<Resemblance> resemble(const lab::Exercise& exercise, const lab::Workload& workload, const json& report) {
  if (!exercise.ladder_case || !report.contains("counts")) return std::nullopt;
  const std::vector<CountedRung> ladder = count_ladder(exercise, workload);
  if (ladder.empty()) return std::nullopt;
  const auto work = workload.make_case(complete(workload, *exercise.ladder_case), Stream::on(Device::simt),
                                       {.seed = 1, .n_input_sets = 1});
  Resemblance result;
  result.own = counters_of(report, work->cost());
  const auto apart_from_own = [&](const CountedRung& rung) { return distance(result.own, rung.counters); };
  const auto nearest = std::min_element(ladder.begin(), ladder.end(), [&](const CountedRung& a, const CountedRung& b) {
    return apart_from_own(a) < apart_from_own(b);
  });
  const bool is_like_one = !is_another_algorithm(result.own, nearest->counters);
  if (is_like_one) {
    result.nearest = nearest->rung;
    result.of_nearest = nearest->counters;
  }
  const auto next = is_like_one ? std::next(nearest) : ladder.begin();
  if (next != ladder.end()) {
    result.next = next->rung;
    result.of_next = next->counters;
  }
  return result;
}

std::optional<TryMessage> too_many_loads(const lab::ExerciseCase& one, const json& report) {
  if (!one.loads) return std::nullopt;
  const auto limit = static_cast<double>(one.loads->bytes);
  const AccessTotal total = total_accesses(report, "load", "distinct_bytes");
  if (total.sum <= limit) return std::nullopt;
  TryMessage message{"loads",
                     fmt::format("it loads {} from global memory, where {} are enough", base::show_bytes(total.sum),
                                 base::show_bytes(limit)),
                     "", one.loads->what_to_do, describe_launch(one)};
  if (!total.line.empty())
    message.detail = fmt::format("{} of them here:\n{}", base::show_bytes(total.of_line), total.line);
  return message;
}

std::optional<TryMessage> too_many_atomics(const lab::ExerciseCase& one, const json& report) {
  if (!one.atomics) return std::nullopt;
  const AccessTotal total = total_accesses(report, "atomic", "lanes");
  if (total.sum <= static_cast<double>(one.atomics->count)) return std::nullopt;
  return TryMessage{"atomics",
                    fmt::format("it makes {:.0f} atomic additions, where {} are enough", total.sum, one.atomics->count),
                    total.line, one.atomics->what_to_do, describe_launch(one)};
}

namespace {

/// A count as people write it: "541 k", and not 5.41e+05.
std::string count_text(double n) { return n < 999.5 ? fmt::format("{:.3g}", n) : base::show_rate(n, ""); }

}  // namespace

std::string text(const Resemblance& r) {
  if (r.nearest == nullptr) {
    return fmt::format("  Its memory accesses resemble none of the ladder's rungs. The first rung is {}:\n    {}\n",
                       r.next->name, r.next->idea);
  }
  std::string result = fmt::format("  Its memory accesses are most like those of the rung {}:\n    {}\n",
                                   r.nearest->name, r.nearest->idea);
  if (r.next != nullptr) result += fmt::format("  The next rung is {}:\n    {}\n", r.next->name, r.next->idea);
  const std::size_t width = std::max<std::size_t>(17, r.nearest->name.size()),
                    next_width = std::max<std::size_t>(17, r.next != nullptr ? r.next->name.size() : 0);
  const auto add_line = [&](const std::string& name, const std::string& own, const std::string& nearest,
                            const std::string& next) {
    result += fmt::format("    {:<31} {:>10} {:>{}}", name, own, nearest, width);
    result += r.next != nullptr ? fmt::format(" {:>{}}\n", next, next_width) : "\n";
  };
  add_line("", "yours", r.nearest->name, r.next != nullptr ? r.next->name : "");
  std::vector<std::size_t> order(r.own.size());
  std::iota(order.begin(), order.end(), 0);
  const auto difference = [&](std::size_t i) {
    return r.next != nullptr ? apart(r.of_next[i].value, r.of_nearest[i].value) : 0;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return difference(a) > difference(b); });
  int n_shown = 0;
  for (const std::size_t i : order) {
    const bool any = r.own[i].value > 0 || r.of_nearest[i].value > 0;
    if ((difference(i) < 0.3 && !any) || n_shown == 5) continue;
    ++n_shown;
    add_line(r.own[i].name, count_text(r.own[i].value), count_text(r.of_nearest[i].value),
             r.next != nullptr ? count_text(r.of_next[i].value) : "");
  }
  return result;
}

json to_json(const Resemblance& r) {
  json counters = json::object();
  for (std::size_t i = 0; i < r.own.size(); ++i) {
    counters[r.own[i].name] = {{"yours", r.own[i].value}};
    if (r.nearest != nullptr) counters[r.own[i].name][r.nearest->name] = r.of_nearest[i].value;
  }
  const auto name = [](const lab::Rung* rung) { return rung != nullptr ? json(rung->name) : json(); };
  return {{"rung", name(r.nearest)}, {"next", name(r.next)}, {"counters", counters}};
}

}  // namespace rafter::trial

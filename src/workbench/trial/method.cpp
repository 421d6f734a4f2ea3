#include "workbench/trial/method.hpp"

#include <fmt/format.h>

#include "base/units.hpp"
#include "workbench/trial/counters.hpp"
#include "workbench/trial/executor.hpp"

namespace rafter::trial {

namespace {

using nlohmann::json;

constexpr std::int64_t n_warp = 32;

/// The requests of a run in one memory space, and the lanes that took part.
struct Requests {
  double requests = 0, lanes = 0;
};

Requests requests_in(const json& report, const char* space, const char* kind = nullptr) {
  Requests sum;
  if (!report.contains("counts")) return sum;
  for (const auto& [kernel, counts] : report["counts"].items()) {
    for (const json& place : counts["places"]) {
      if (place["space"] != space || (kind != nullptr && place["kind"] != kind)) continue;
      sum.requests += place["requests"].get<double>();
      sum.lanes += place["lanes"].get<double>();
    }
  }
  return sum;
}

/// The launches of kernels that read elements and write results.
double launches_in(const json& report) {
  double n = 0;
  if (!report.contains("counts")) return n;
  for (const auto& [kernel, counts] : report["counts"].items()) {
    const auto& busiest = counts["busiest"];
    if (busiest["global_loads"] > 0 && busiest["global_stores"] > 0) n += counts["launches"].get<double>();
  }
  return n;
}

/// Copies to the host, without those that return the arrays to the judge.
std::int64_t copies_to_host(const lab::ExerciseCase& one, const json& report) {
  std::int64_t n = 0;
  for (const json& transfer : report.value("transfers", json::array())) {
    if (transfer["direction"] == "to_host") n += transfer["copies"].get<std::int64_t>();
  }
  for (const lab::ExerciseArgument& argument : one.arguments) {
    if (argument.role != lab::ArgumentRole::scalar && !argument.bytes.empty()) --n;
  }
  return n;
}

/// Returns a message if one thread accesses more than a thread's share, which several threads were to do.
std::optional<TryMessage> too_much_of_one_thread(const lab::ExerciseCase& one, const json& report) {
  const lab::ThreadShare& share = one.method.share;
  struct Limit {
    const char *counter, *what;
    std::int64_t most;
  };
  const Limit limits[] = {{"global_loads", "loads {} from global memory", share.global_loads},
                          {"global_stores", "stores {} to global memory", share.global_stores},
                          {"shared_loads", "loads {} from shared memory", share.shared_loads}};
  if (!report.contains("counts")) return std::nullopt;
  for (const auto& [kernel, counts] : report["counts"].items()) {
    for (const auto& [counter, what, most] : limits) {
      const auto bytes = counts["busiest"][counter].get<std::int64_t>();
      if (most == 0 || bytes <= most) continue;
      return TryMessage{"one_thread",
                        fmt::format("one thread does the work of many: it {}, where {} are its share",
                                    fmt::format(fmt::runtime(what), base::show_bytes(static_cast<double>(bytes))),
                                    base::show_bytes(static_cast<double>(most))),
                        "", "Divide the elements among the threads, as in i = blockIdx.x * blockDim.x + threadIdx.x;"};
    }
  }
  return std::nullopt;
}

/// Returns a message if a few lanes of each warp store the results that all threads were to have.
std::optional<TryMessage> few_lanes_with_results(const lab::ExerciseCase& one, const json& report) {
  constexpr double fewest = 4;
  const Requests stores = requests_in(report, "global", "store");
  const bool has_many = one.method.share.global_stores > 0 && one.method.n_independent >= 2 * n_warp;
  if (!has_many || stores.requests == 0 || stores.lanes >= fewest * stores.requests) return std::nullopt;
  return TryMessage{"one_thread",
                    fmt::format("a few threads store the results of all: {:.1f} lanes of 32 in a store on average",
                                stores.lanes / stores.requests),
                    "", "Give each thread a result of its own, and adjacent threads adjacent results."};
}

std::optional<TryMessage> message_of(const lab::ExerciseCase& one, const json& report) {
  const lab::Method& method = one.method;
  const Requests global = requests_in(report, "global");
  if (method.n_independent >= 2 * n_warp && global.requests > 0 && global.lanes == global.requests) {
    return TryMessage{
        "one_thread",
        fmt::format("one thread at a time does all the work: each of its {:.0f} accesses to global memory "
                    "has one active lane of 32",
                    global.requests),
        "", "Give each thread elements of its own, as in i = blockIdx.x * blockDim.x + threadIdx.x;"};
  }
  if (auto excess = too_much_of_one_thread(one, report)) return excess;
  if (auto few = few_lanes_with_results(one, report)) return few;
  if (auto excess = too_many_loads(one, report)) return excess;
  if (auto excess = too_many_atomics(one, report)) return excess;
  if (const double n = launches_in(report); method.n_launches > 1 && n < static_cast<double>(method.n_launches)) {
    return TryMessage{"launches",
                      fmt::format("{:.0f} of its launches read elements and write results; this size takes at least {}",
                                  n, method.n_launches),
                      "", "Launch a kernel that leaves a sum for each block, and again on these sums."};
  }
  if (!method.may_copy_to_host && copies_to_host(one, report) > 0) {
    return TryMessage{"host_computes", "it copies data to the host, but kernels are to compute the result", "",
                      "Keep everything in device memory: the next launch reads what the one before wrote."};
  }
  const bool has_shared =
      requests_in(report, "shared", "store").lanes > 0 && requests_in(report, "shared", "load").lanes > 0;
  if (method.uses_shared && !has_shared) {
    return TryMessage{
        "not_shared", "it does not use shared memory, which this exercise is about", "",
        "Let the threads of a block write to a __shared__ array, and after __syncthreads() read from it."};
  }
  if (method.uses_atomics && requests_in(report, "global", "atomic").lanes == 0) {
    return TryMessage{"no_atomics", "it makes no atomic additions, which this exercise is about", "",
                      "Several threads add to one element: use atomicAdd."};
  }
  return std::nullopt;
}

}  // namespace

std::optional<TryMessage> message_of_method(const lab::ExerciseCase& one, const json& report) {
  std::optional<TryMessage> message = message_of(one, report);
  if (message) message->with = describe_launch(one);
  return message;
}

}  // namespace rafter::trial

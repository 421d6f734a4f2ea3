// EdgePlan: sorts the ends of edges by atom, on the host, by counting sort.
#include <string>
#include <vector>

#include "library/core/arguments.hpp"
#include "rafter/edges.hpp"

namespace rafter {

namespace {

constexpr const char* plan_name = "EdgePlan";

void require_countable(std::int64_t n_edges, std::int64_t n_atoms) {
  constexpr std::int64_t too_many = std::int64_t{1} << 30;
  if (n_atoms < 0) core::refuse(plan_name, "n_atoms", "must be 0 or more, is " + std::to_string(n_atoms));
  if (n_edges < too_many && n_atoms < too_many) return;
  throw Error(ErrorCode::unsupported,
              "EdgePlan: fewer than 2^30 edges and atoms were expected, there are " + std::to_string(n_edges) +
                  " and " + std::to_string(n_atoms),
              plan_name, n_atoms < too_many ? "index" : "n_atoms");
}

std::vector<std::int64_t> checked_index(const Stream& stream, DeviceSpan<const std::int64_t> index,
                                        std::int64_t n_atoms) {
  if (index.size() % 2 != 0)
    core::refuse(plan_name, "index", "should have two elements per edge, has " + std::to_string(index.size()));
  core::require_array(stream, plan_name, "index", index);
  require_countable(index.size() / 2, n_atoms);
  std::vector<std::int64_t> here(static_cast<std::size_t>(index.size()));
  if (!index.empty()) detail::copy_out(stream, here.data(), index.data(), index.size_bytes());
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (here[i] >= 0 && here[i] < n_atoms) continue;
    core::refuse(plan_name, "index",
                 "should have atoms from 0 to " + std::to_string(n_atoms - 1) + ", has " + std::to_string(here[i]) +
                     " at [" + std::to_string(i) + "]");
  }
  return here;
}

}  // namespace

struct EdgePlan::OnHost {
  std::vector<Pair> pairs;
  std::vector<End> ends;
  std::vector<std::int32_t> first_ends;

  OnHost(const std::vector<std::int64_t>& index, std::int64_t n_atoms)
      : pairs(index.size() / 2), ends(index.size()), first_ends(static_cast<std::size_t>(2 * n_atoms + 1)) {
    const std::size_t n = pairs.size();
    for (std::size_t e = 0; e < n; ++e)
      pairs[e] = {static_cast<std::int32_t>(index[e]), static_cast<std::int32_t>(index[n + e])};
    for (const Pair& pair : pairs) {
      ++first_ends[as_source(pair.source) + 1];
      ++first_ends[as_target(pair.target) + 1];
    }
    for (std::size_t i = 1; i < first_ends.size(); ++i) first_ends[i] += first_ends[i - 1];
    std::vector<std::int32_t> next = first_ends;
    for (std::size_t e = 0; e < n; ++e) {
      const auto [source, target] = pairs[e];
      const auto edge = static_cast<std::int32_t>(e);
      ends[static_cast<std::size_t>(next[as_source(source)]++)] = {edge, target};
      ends[static_cast<std::size_t>(next[as_target(target)]++)] = {edge, source};
    }
  }

 private:
  static std::size_t as_source(std::int32_t atom) { return 2 * static_cast<std::size_t>(atom); }
  static std::size_t as_target(std::int32_t atom) { return 2 * static_cast<std::size_t>(atom) + 1; }
};

EdgePlan::EdgePlan(const Stream& stream, DeviceSpan<const std::int64_t> index, std::int64_t n_atoms)
    : EdgePlan(stream, OnHost(checked_index(stream, index, n_atoms), n_atoms)) {}

EdgePlan::EdgePlan(const Stream& stream, const OnHost& plan)
    : pairs_(stream, plan.pairs), ends_(stream, plan.ends), first_ends_(stream, plan.first_ends) {}

}  // namespace rafter

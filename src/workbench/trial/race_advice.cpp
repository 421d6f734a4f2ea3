#include "workbench/trial/race_advice.hpp"

#include "base/pattern.hpp"

namespace rafter::trial {

namespace {

using nlohmann::json;

constexpr std::int64_t n_lanes = 32;

/// Whether both sides are lanes of one warp of one block.
bool are_of_one_warp(const json& one, const json& other, const lab::Extents& block) {
  if (!one.contains("thread") || !other.contains("thread") ||
      one.value("block", json()) != other.value("block", json()))
    return false;
  const auto warp = [&](const json& side) -> std::int64_t {
    const auto at = [&](std::size_t i) { return side["thread"][i].get<std::int64_t>(); };
    if (block.x == 0 && at(1) + at(2) > 0) return -1;
    return (at(0) + block.x * (at(1) + block.y * at(2))) / n_lanes;
  };
  return warp(one) >= 0 && warp(one) == warp(other);
}

bool is_write(const json& side) { return side.value("action", "").find("write") != std::string::npos; }

/// Returns advice on a race in global memory.
std::string advice_on_global(const json& one, const json& other, const RaceContext& context) {
  if (!one["place"].contains("line") || !other["place"].contains("line")) return "";
  const bool in_one_block = one.value("block", json()) == other.value("block", json());
  if (!in_one_block && is_write(one) != is_write(other) && context.may_lack_fence)
    return "One block reads what another wrote, and no fence orders them: put a __threadfence() between the write and "
           "the atomic that announces it, and one between that atomic and the read.";
  const char* apart =
      "Threads of different blocks access one element, and blocks do not wait for each other: give each its own.";
  if (one["place"]["line"] != other["place"]["line"])
    return in_one_block ? "One thread reads what another writes: put a __syncthreads() between the two lines." : apart;
  const std::string line = one["place"].value("text", "");
  static const base::Pattern update(R"((\w+)\s*(?:\[[^;=]*\])?\s*\)?\s*(?:\+=|-=|\+\+|--)(.*))");
  const auto match = update.find(line);
  if (!match) return "";
  const bool reads_others = base::Pattern("\\b" + match->at(1) + "\\b").find(match->at(2)).has_value();
  if (!reads_others)
    return "Many threads add to one element, and additions get lost: use atomicAdd, or give each its own.";
  return in_one_block ? "A thread reads what another writes in the same iteration: read first, then __syncthreads(), "
                        "then write."
                      : apart;
}

}  // namespace

std::string race_advice(const json& finding, const RaceContext& context) {
  if (finding["kind"] != "race" || finding["sides"].size() != 2) return "";
  const json &one = finding["sides"][0], &other = finding["sides"][1];
  const bool is_global = finding.value("space", "") == "global";
  for (const json* side : {&one, &other}) {
    if (is_global && side->value("action", "").find("atomic") != std::string::npos)
      return "A plain access is not ordered with another thread's atomic: use the value that the atomic returns.";
  }
  const bool is_shared = finding.value("space", "") == "shared";
  if (is_shared && context.has_warp_code && are_of_one_warp(one, other, context.block))
    return "Both threads are in one warp, and its lanes do not run in step: put a __syncwarp() between the two "
           "accesses, "
           "also inside an if (t < 32), where a __syncthreads() would not be reached by all threads.";
  return is_global ? advice_on_global(one, other, context) : "";
}

}  // namespace rafter::trial

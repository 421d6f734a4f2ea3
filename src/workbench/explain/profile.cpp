#include "workbench/explain/profile.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace rafter::explain {

namespace {

using nlohmann::json;

SourceLine line_of(const json& place) {
  if (!place.is_object() || !place.contains("file")) return {};
  return {place["file"].get<std::string>(), place["line"].get<int>(), place.value("text", "")};
}

/// Converts counts of all launches and counted blocks to those of one whole launch.
struct Scale {
  double launches, blocks, counted;  ///< `blocks` per launch, of which `counted` ran

  explicit Scale(const json& counts)
      : launches(std::max(counts["launches"].get<double>(), 1.0)),
        blocks(counts["blocks"].get<double>() / launches),
        counted(std::max(counts["counted_blocks"].get<double>() / launches, 1e-9)) {}

  double operator()(const json& n) const { return n.get<double>() / launches * (blocks / counted); }
};

std::vector<AccessFacts> accesses_of(const json& counts, const Scale& scaled) {
  struct Sum {
    AccessFacts facts;
    double strided = 0, requests = 0;
    bool one_stride = true;
  };
  std::map<std::tuple<std::string, int, Space, Access>, Sum> by_line;
  for (const json& c : counts["places"]) {
    const std::string space = c["space"], kind = c["kind"];
    const SourceLine at = line_of(c["place"]);
    AccessFacts made{.at = at,
                     .space = space == "shared"    ? Space::shared
                              : space == "cluster" ? Space::cluster
                                                   : Space::global,
                     .kind = kind == "load"    ? Access::load
                             : kind == "store" ? Access::store
                                               : Access::atomic};
    const bool is_new = !by_line.contains({at.file, at.line, made.space, made.kind});
    Sum& sum = by_line[{at.file, at.line, made.space, made.kind}];
    if (is_new) {
      sum.facts = made;
      sum.facts.stride = c["stride"];
    }
    sum.one_stride = sum.one_stride && sum.facts.stride == c["stride"].get<std::int64_t>();
    sum.strided += c["strided"].get<double>();
    sum.requests += c["requests"].get<double>();
    AccessFacts& f = sum.facts;
    f.requests += scaled(c["requests"]);
    f.lanes += scaled(c["lanes"]);
    f.bytes += scaled(c["bytes"]);
    f.sectors += scaled(c["sectors"]);
    f.ideal_sectors += scaled(c["ideal_sectors"]);
    f.passes += scaled(c["wavefronts"]);
    f.ideal_passes += scaled(c["ideal_wavefronts"]);
    f.most_at_one = std::max(f.most_at_one, c["worst_contention"].get<double>());
  }
  std::vector<AccessFacts> all;
  for (auto& [key, sum] : by_line) {
    if (!sum.one_stride || sum.strided < 0.9 * sum.requests) sum.facts.stride = 0;
    all.push_back(std::move(sum.facts));
  }
  return all;
}

/// Extrapolates from a sample of blocks: data that several of them read is assumed to be read by all, data that one
/// reads to be different for each block. The first and the last block are in the sample, so the range between their
/// accesses is an upper bound.
Footprint footprint_of(const json& f, const Scale& scale) {
  const auto per_launch = [&](const char* key) { return f[key].get<double>() / scale.launches; };
  const double n = scale.counted, all = scale.blocks, more = all / n;
  Footprint made;
  made.block_read_sectors = per_launch("block_read_sectors") * more;
  made.fetched_sectors = per_launch("block_fetched_sectors") * more;
  made.lines_per_block = per_launch("block_lines") / n;
  const double distinct = per_launch("read_sectors"), by_block = per_launch("block_read_sectors");
  const double span = per_launch("read_span_sectors");
  const double common = n > 1 && more > 1 ? std::clamp((by_block - distinct) / (n - 1), 0.0, distinct) : 0;
  made.read_sectors = more > 1 ? std::min(common + (distinct - common) * more, span) : distinct;
  made.read_bytes = distinct > 0 ? per_launch("read_bytes") * made.read_sectors / distinct : 0;
  made.written_sectors = per_launch("written_sectors") * more;
  made.written_bytes = per_launch("written_bytes") * more;
  return made;
}

void set_shape(Facts& facts, const json& shapes) {
  const json* most = nullptr;
  for (const json& shape : shapes) {
    if (!most || shape["launches"] > (*most)["launches"]) most = &shape;
  }
  facts.shapes_differ = shapes.size() > 1;
  if (!most) return;
  facts.grid = (*most)["grid"];
  facts.block = (*most)["block"];
  facts.cluster = (*most)["cluster"];
  facts.dynamic_shared_bytes = (*most)["shared_bytes"];
}

Facts kernel_facts(const std::string& name, const json& counts) {
  const Scale scaled(counts);
  Facts made;
  made.kernel = name;
  made.launches = scaled.launches;
  made.blocks = scaled.blocks;
  made.counted_share = scaled.counted / std::max(scaled.blocks, 1e-9);
  set_shape(made, counts["shapes"]);
  made.accesses = accesses_of(counts, scaled);
  made.footprint = footprint_of(counts["footprint"], scaled);
  made.hottest_atomics = counts["hottest_global_atomics"].get<double>() / made.counted_share;
  for (const json& b : counts["barriers"]) made.barriers.push_back({line_of(b["place"]), scaled(b["arrivals"])});
  for (const json& p : counts["passes"]) {
    const SourceLine at = line_of(p["place"]);
    if (at.line > 0) made.passes.push_back({at, scaled(p["warps"]), scaled(p["lanes"])});
  }
  return made;
}

}  // namespace

ProgramFacts facts_of(const json& report) {
  ProgramFacts made;
  if (report.contains("counts")) {
    for (const auto& [name, counts] : report["counts"].items()) {
      if (counts["launches"].get<double>() > 0) made.kernels.push_back(kernel_facts(name, counts));
    }
  }
  if (report.contains("transfers")) {
    for (const json& t : report["transfers"])
      made.copies.push_back({line_of(t["place"]), t["direction"] == "to_device", t["pageable"].get<bool>(),
                             t["copies"].get<double>(), t["bytes"].get<double>()});
  }
  return made;
}

}  // namespace rafter::explain

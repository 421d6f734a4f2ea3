#include "workbench/explain/as_json.hpp"

namespace rafter::explain {

using nlohmann::json;

namespace {

json to_json(const Finding& f) {
  json made{{"cause", name(f.cause)},
            {"sentence", f.sentence},
            {"worth", f.worth},
            {"worth_at_most", f.at_most},
            {"idea", f.idea}};
  if (!f.shown_by.empty()) made["shown_by"] = f.shown_by;
  if (f.at.line > 0) made["at"] = {{"file", f.at.file}, {"line", f.at.line}, {"text", f.at.text}};
  return made;
}

json to_json(const std::vector<Finding>& findings) {
  json all = json::array();
  for (const Finding& finding : findings) all.push_back(to_json(finding));
  return all;
}

json to_json(const Estimate& e) {
  return {{"launch_ns", e.launch_ns},   {"memory_ns", e.memory_ns},   {"l2_ns", e.cache_ns},
          {"access_ns", e.access_ns},   {"atomics_ns", e.atomics_ns}, {"issue_ns", e.issue_ns},
          {"latency_ns", e.latency_ns}, {"starts_ns", e.starts_ns},   {"total_ns", e.total_ns()}};
}

json to_json(const CompiledFacts& c) {
  json made{{"capability", c.capability},
            {"registers", c.registers},
            {"spill_bytes", c.spill_bytes},
            {"stack_bytes", c.stack_bytes},
            {"static_shared_bytes", c.static_shared_bytes},
            {"code", json::array()},
            {"sass", json::object()}};
  for (const CodeFacts& code : c.code) {
    made["code"].push_back({{"file", code.at.file},
                            {"line", code.at.line},
                            {"times", code.times},
                            {"lanes", code.lanes},
                            {"issue", code.issue},
                            {"latency", code.latency},
                            {"chain", code.chain},
                            {"at_barriers", code.at_barriers},
                            {"is_loop", code.is_loop}});
  }
  for (const auto& [op, share] : c.mix) made["sass"][op] = share;
  return made;
}

json to_json(const Times& t) {
  return {{"device", t.device},     {"cold_ns", t.cold_ns}, {"warm_ns", t.warm_ns},
          {"graph_ns", t.graph_ns}, {"host_ns", t.host_ns}, {"in_program_ns", t.in_program_ns},
          {"floor_ns", t.floor_ns}};
}

json to_json(const NsightFacts& n) {
  return {{"duration_ns", n.duration_ns},       {"memory_percent", n.memory_percent},
          {"access_percent", n.access_percent}, {"issue_percent", n.issue_percent},
          {"warps_percent", n.warps_percent},   {"lanes", n.lanes}};
}

}  // namespace

json to_json(const Facts& facts, const Diagnosis& d) {
  const Footprint& f = facts.footprint;
  json made{{"kernel", facts.kernel},
            {"launches", facts.launches},
            {"grid", facts.grid},
            {"block", facts.block},
            {"dynamic_shared_bytes", facts.dynamic_shared_bytes},
            {"counted_share_of_blocks", facts.counted_share},
            {"bytes_read", f.read_bytes},
            {"bytes_written", f.written_bytes},
            {"findings", to_json(d.findings)},
            {"estimate", to_json(d.estimate)},
            {"occupancy", {{"blocks", d.occupancy.blocks}, {"share", d.occupancy.share}}}};
  if (facts.compiled) made["compiled"] = to_json(*facts.compiled);
  if (facts.times) made["times"] = to_json(*facts.times);
  if (facts.nsight) made["nsight"] = to_json(*facts.nsight);
  return made;
}

json to_json(const ProgramFacts& facts, const ProgramDiagnosis& d) {
  json made{{"findings", to_json(d.findings)},
            {"kernels", json::array()},
            {"copies", json::array()},
            {"estimate", {{"copies_ns", d.copies_ns}, {"launches_ns", d.launches_ns}, {"work_ns", d.work_ns}}}};
  for (std::size_t i = 0; i < d.kernels.size(); ++i) {
    for (const Facts& kernel : facts.kernels) {
      if (kernel.kernel != d.kernels[i].kernel) continue;
      json one = to_json(kernel, d.kernels[i]);
      one["share"] = d.shares[i];
      made["kernels"].push_back(std::move(one));
    }
  }
  for (const CopyFacts& copy : facts.copies) {
    made["copies"].push_back({{"file", copy.at.file},
                              {"line", copy.at.line},
                              {"to", copy.to_device ? "device" : "host"},
                              {"pageable", copy.pageable},
                              {"copies", copy.copies},
                              {"bytes", copy.bytes}});
  }
  return made;
}

json to_json(const Sources& sources) { return {{"known", sources.known}, {"unknown", sources.unknown}}; }

}  // namespace rafter::explain

#include "workbench/lab/cases/ladder.hpp"

namespace rafter::lab {

namespace {

/// Returns the path of a rung's source, such as "kernels/sum/ladder/pairs.cu".
std::string source_path(const FamilyFiles& files, const LadderLine& line) {
  const auto& [family, folder] = files;
  const bool is_cpu = line.device == Device::cpu;
  const std::string ending = is_cpu ? ".cpp" : ".cu";
  switch (line.kind) {
    case LadderLine::Kind::step: return folder + "ladder/" + line.name + ending;
    case LadderLine::Kind::op: return folder + family + (is_cpu ? "_cpu" : "_cuda") + ending;
    case LadderLine::Kind::peer: return folder + "peers/" + line.name + ending;
  }
  return folder;
}

}  // namespace

std::vector<Rung> ladder_of(const FamilyFiles& files, std::initializer_list<LadderLine> lines,
                            RunRung (*adapt)(const void* rung)) {
  std::vector<Rung> rungs;
  for (const LadderLine& line : lines) {
    rungs.push_back({.name = line.name,
                     .device = line.device,
                     .kind = line.kind == LadderLine::Kind::peer ? RungKind::peer : RungKind::rung,
                     .idea = line.idea,
                     .source_path = source_path(files, line),
                     .run = line.rung == nullptr ? RunRung{} : adapt(line.rung),
                     .role = line.kind == LadderLine::Kind::op ? Role::op : Role::step});
  }
  return rungs;
}

}  // namespace rafter::lab

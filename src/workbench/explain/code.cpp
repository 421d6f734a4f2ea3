#include "workbench/explain/code.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "workbench/explain/instructions.hpp"

namespace rafter::explain {

namespace {

std::string base_of(const std::string& file) { return file.substr(file.rfind('/') + 1); }

using LineKey = std::pair<std::string, int>;

/// Identifies an access in both the code and the executor's counters.
struct Anchor {
  std::string file;
  int line;
  Space space;
  Access kind;
  auto operator<=>(const Anchor&) const = default;
};

/// The executor's counts per line and per warp of the grid.
class Counts {
 public:
  explicit Counts(const Facts& facts) {
    const double warps = std::max(facts.warps(), 1.0);
    for (const PassFacts& pass : facts.passes) {
      auto& [times, lanes] = passes_[{base_of(pass.at.file), pass.at.line}];
      if (pass.warps / warps > times) lanes = pass.warps > 0 ? pass.lanes / pass.warps : 32;
      times = std::max(times, pass.warps / warps);
    }
    for (const AccessFacts& access : facts.accesses) {
      auto& [times, lanes] = requests_[{base_of(access.at.file), access.at.line, access.space, access.kind}];
      times += access.requests / warps;
      lanes = access.requests > 0 ? access.lanes / access.requests : 32;
    }
  }

  struct Passed {
    double times = 0, lanes = 32;
  };

  bool any() const { return !passes_.empty(); }

  /// Returns the counts of the source range that begins at the line or before it, but not before `first`. If there is
  /// none, the line is at the start of the kernel, which every warp passes once.
  Passed at_or_before(const std::string& file, int line, int first) const {
    auto found = passes_.upper_bound({base_of(file), line});
    if (found == passes_.begin()) return {1, 32};
    --found;
    return found->first.first == base_of(file) && found->first.second >= first ? found->second : Passed{1, 32};
  }

  double requests(const Anchor& at) const {
    const auto found = requests_.find({base_of(at.file), at.line, at.space, at.kind});
    return found == requests_.end() ? 0 : found->second.times;
  }
  double lanes(const Anchor& at) const {
    const auto found = requests_.find({base_of(at.file), at.line, at.space, at.kind});
    return found == requests_.end() ? 32 : found->second.lanes;
  }

 private:
  std::map<LineKey, Passed> passes_;
  std::map<Anchor, Passed> requests_;
};

std::optional<Anchor> anchor_of(const PtxInstruction& i) {
  const bool shared = has(i.op, ".shared");
  if (!shared && !is_global(i.op)) return std::nullopt;
  const Space space = shared ? Space::shared : Space::global;
  if (starts(i.op, {"ld"})) return Anchor{i.file, i.line, space, Access::load};
  if (starts(i.op, {"st."})) return Anchor{i.file, i.line, space, Access::store};
  if (starts(i.op, {"atom", "red."})) return Anchor{i.file, i.line, space, Access::atomic};
  return std::nullopt;
}

/// The blocks of one innermost loop, or one block outside of loops.
struct Region {
  std::vector<const PtxBlock*> blocks{};
  bool is_loop = false;
  double times = 0, lanes = 32;
  std::map<Anchor, int> anchors{};
  std::size_t size() const {
    std::size_t n = 0;
    for (const PtxBlock* block : blocks) n += block->code.size();
    return n;
  }
};

std::vector<Region> regions_of(const PtxKernel& kernel) {
  std::vector<Region> regions;
  std::map<int, std::size_t> of_loop;
  for (const PtxBlock& block : kernel.blocks) {
    if (block.code.empty()) continue;
    std::size_t at = regions.size();
    if (block.loop >= 0) at = of_loop.emplace(block.loop, at).first->second;
    if (at == regions.size()) regions.emplace_back();
    Region& region = regions[at];
    region.is_loop = block.loop >= 0;
    region.blocks.push_back(&block);
    for (const PtxInstruction& i : block.code) {
      if (const auto anchor = anchor_of(i)) ++region.anchors[*anchor];
    }
  }
  return regions;
}

/// Returns the unroll factor of a loop without accesses, from the step of its counter.
double unrolled(const Region& region) {
  long step = 1;
  std::map<std::pair<std::string, int>, long> same;
  long most = 1;
  for (const PtxBlock* block : region.blocks) {
    for (const PtxInstruction& i : block->code) {
      if (i.step != 0) step = std::max(step, std::labs(i.step));
      if (!starts(i.op, {"mov", "ld.param", "cvta", "bra"})) most = std::max(most, ++same[{i.op, i.line}]);
    }
  }
  return step > 1 && most >= step ? static_cast<double>(step) : 1;
}

/// Returns the first line of a kernel in a file.
int first_line(const std::vector<Region>& regions, const std::string& file) {
  int first = std::numeric_limits<int>::max();
  for (const Region& region : regions) {
    for (const PtxBlock* block : region.blocks) {
      for (const PtxInstruction& i : block->code)
        if (i.line > 0 && i.file == file) first = std::min(first, i.line);
    }
  }
  return first;
}

/// Returns the counts of a region: for a loop those of its backward jump, because lines within it may be in inner loops
/// that were unrolled; for other code those of the line passed most.
Counts::Passed passed(const Region& region, const std::vector<Region>& regions, const Counts& counts) {
  if (region.is_loop) {
    const PtxInstruction& jump = region.blocks.back()->code.back();
    return counts.at_or_before(jump.file, jump.line, first_line(regions, jump.file));
  }
  Counts::Passed most{0, 32};
  for (const PtxBlock* block : region.blocks) {
    for (const PtxInstruction& i : block->code) {
      if (i.line == 0) continue;
      const Counts::Passed now = counts.at_or_before(i.file, i.line, first_line(regions, i.file));
      if (now.times > most.times) most = now;
    }
  }
  return most;
}

/// Returns the average active lanes over the region's instructions. Each line has its own count, and counts of accesses
/// are the most exact.
double lanes_of(const Region& region, const std::vector<Region>& regions, const Counts& counts,
                const Counts::Passed& whole) {
  if (!counts.any()) return 32;
  double sum = 0, n = 0;
  for (const PtxBlock* block : region.blocks) {
    for (const PtxInstruction& i : block->code) {
      if (i.line == 0 || price(i.op, {}).slots == 0) continue;
      const Counts::Passed now = counts.at_or_before(i.file, i.line, first_line(regions, i.file));
      const double share = std::min(1.0, now.times / std::max(whole.times, 1e-9)) * price(i.op, {}).slots;
      const auto anchor = anchor_of(i);
      const double lanes = anchor ? std::min(now.lanes, counts.lanes(*anchor)) : now.lanes;
      sum += share * lanes;
      n += share;
    }
  }
  return n > 0 ? sum / n : whole.lanes;
}

/// Computes how often a warp passes each region.
void count(std::vector<Region>& regions, const Counts& counts) {
  for (Region& region : regions) {
    const Counts::Passed found = passed(region, regions, counts);
    region.lanes = lanes_of(region, regions, counts, found);
    region.times = !counts.any() ? 1 : region.is_loop ? found.times / unrolled(region) : std::min(1.0, found.times);
  }
  // Accesses give more exact counts. If the compiler made several copies of a loop, such as a remainder loop, the copy
  // with the most accesses per iteration gets all iterations.
  for (Region& region : regions) {
    if (!region.is_loop) continue;
    bool is_rest = false;
    double times = 0;
    for (const auto& [anchor, n] : region.anchors) {
      double outside = 0;
      for (const Region& other : regions) {
        const auto found = other.anchors.find(anchor);
        if (&other == &region || found == other.anchors.end()) continue;
        if (other.is_loop && found->second > n) is_rest = true;
        if (!other.is_loop) outside += other.times * found->second;
      }
      const double requests = counts.requests(anchor);
      if (requests > 0) times = std::max(times, (requests - outside) / n);
    }
    if (times > 0) region.times = times;
    if (is_rest) region.times = 0;
  }
  // Without accesses, the largest of the loops of one line gets all iterations.
  for (Region& region : regions) {
    if (!region.is_loop || !region.anchors.empty()) continue;
    for (const Region& other : regions) {
      if (&other == &region || !other.is_loop || other.size() <= region.size() || !other.anchors.empty()) continue;
      if (other.blocks.front()->code.front().line == region.blocks.front()->code.front().line) region.times = 0;
    }
  }
}

/// Iterations of a region executed by a single warp on a multiprocessor.
struct Simulation {
  double per_iteration = 0;  ///< cycles until the next iteration can begin
  double chain = 0;  ///< cycles from the results of one iteration to the next with unlimited instructions in flight
  const PtxInstruction* slowest = nullptr;  ///< the instruction with the longest wait for its result
};

enum class Barriers { wait, pass };

Simulation simulate(const Region& region, const Latencies& latencies, Barriers barriers = Barriers::wait) {
  const int rounds = region.is_loop ? 4 : 1;
  std::map<int, double> ready, free_ready;  // by register
  std::map<const PtxInstruction*, double> waited;
  double begin = 0, first_begin = 0, first_chain = 0, chain = 0;
  for (int round = 0; round < rounds; ++round) {
    if (round == 1) first_begin = begin, first_chain = chain;
    double last = begin, slots = 0, fence = begin, done = begin, loaded = begin;
    std::map<int, const PtxInstruction*> writer;
    for (const PtxBlock* block : region.blocks) {
      for (const PtxInstruction& i : block->code) {
        const Price cost = price(i.op, latencies);
        double at = fence, free_at = 0;
        const PtxInstruction* waits_for = nullptr;
        for (const int r : i.reads) {
          if (ready[r] > at) {
            at = ready[r];
            waits_for = writer.contains(r) ? writer[r] : &i;
          }
          free_at = std::max(free_at, free_ready[r]);
        }
        if (waits_for) waited[waits_for] = std::max(waited[waits_for], at - fence);
        if (is_barrier(i.op) && barriers == Barriers::wait) {
          at = std::max(at, done);
          fence = at + cost.latency;
        }
        slots += cost.slots;
        last = std::max(last, at);
        done = std::max(done, at + cost.latency);
        if (is_load(i.op)) loaded = std::max(loaded, at + cost.latency);
        for (const int r : i.writes) {
          ready[r] = at + cost.latency;
          free_ready[r] = free_at + cost.latency;
          chain = std::max(chain, free_ready[r]);
          writer[r] = &i;
        }
      }
    }
    begin = std::max({last + 1, begin + slots, fence});
    if (!region.is_loop) begin = std::max(begin, loaded);  // later code waits for the loads
  }
  Simulation found;
  found.per_iteration = rounds > 1 ? (begin - first_begin) / (rounds - 1) : begin;
  found.chain = rounds > 1 ? (chain - first_chain) / (rounds - 1) : chain;
  double most = 0;
  for (const auto& [instruction, cycles] : waited) {
    if (cycles > most) most = cycles, found.slowest = instruction;
  }
  return found;
}

/// Returns the lines with 64-bit divisions. The compiler adds a 32-bit division for small numbers next to each.
std::set<int> wide_lines(const Region& region) {
  std::set<int> lines;
  for (const PtxBlock* block : region.blocks) {
    for (const PtxInstruction& i : block->code)
      if (is_wide_division(i.op)) lines.insert(i.line);
  }
  return lines;
}

CodeFacts facts_of(const Region& region, const std::set<int>& wide, const Latencies& latencies) {
  CodeFacts made;
  made.is_loop = region.is_loop;
  made.times = region.times;
  made.lanes = region.lanes;
  const PtxInstruction* dearest = nullptr;
  double most = 0;
  for (const PtxBlock* block : region.blocks) {
    for (const PtxInstruction& i : block->code) {
      const Price cost = price(i.op, latencies);
      made.issue += cost.slots;
      if (starts(i.op, {"div.s", "div.u", "rem.s", "rem.u"}) && wide.contains(i.line)) made.wide_division += cost.slots;
      made.barriers += is_barrier(i.op);
      made.loads += is_load(i.op);
      made.local += starts(i.op, {"ld.local", "st.local"});
      made.arithmetic += starts(i.op, {"fma", "add.f", "mul.f", "sub.f", "add.rn", "mul.rn", "mma", "wgmma"});
      if (is_arithmetic(i.op)) (has(i.op, "f64") ? made.fp64 : made.fp32) += cost.slots;
      if (cost.slots > most) most = cost.slots, dearest = &i;
    }
  }
  const Simulation run = simulate(region, latencies);
  made.latency = std::max(run.per_iteration, made.issue);
  if (made.barriers > 0)
    made.at_barriers = made.latency - std::max(simulate(region, latencies, Barriers::pass).per_iteration, made.issue);
  // Only dependencies between iterations form a chain. A load awaited once per iteration does not, nor an element with
  // a loaded index.
  const double chain = region.is_loop || made.loads == 0 ? run.chain : run.chain - 2 * latencies.global;
  made.chain = std::clamp(chain, 0.0, made.latency);
  made.waits_for_memory = made.chain >= 0.8 * latencies.global && made.loads > 0 && made.arithmetic < made.loads;
  const PtxInstruction* at = run.slowest && made.latency > 2 * made.issue ? run.slowest : dearest;
  if (at) made.at = {at->file, at->line, ""};
  return made;
}

}  // namespace

Latencies latencies_of(const Facts& facts, const Gpu& gpu) {
  Latencies made{.fp32_slots = gpu.fp32_slots(), .fp64_slots = gpu.fp64_slots()};
  double loads = 0;
  for (const AccessFacts& access : facts.accesses)
    if (access.space == Space::global && access.kind == Access::load) loads += access.sectors;
  if (loads <= 0) return made;
  const double missed = std::clamp(facts.footprint.block_read_sectors / loads, 0.0, 1.0);
  const double from_memory = std::clamp(facts.footprint.read_sectors / loads, 0.0, 1.0);
  made.global = 40 + 230 * missed + 400 * from_memory;
  return made;
}

std::vector<CodeFacts> code_of(const PtxKernel& kernel, const Facts& facts, const Latencies& latencies) {
  std::vector<Region> regions = regions_of(kernel);
  count(regions, Counts(facts));
  std::vector<CodeFacts> made;
  std::set<int> wide;
  for (const Region& region : regions) wide.merge(wide_lines(region));
  for (const Region& region : regions) made.push_back(facts_of(region, wide, latencies));
  return made;
}

}  // namespace rafter::explain

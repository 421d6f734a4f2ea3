// Causes in the compiled code: what a warp executes and waits for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workbench/explain/causes.hpp"

namespace rafter::explain {

namespace {

bool has_code(const Question& q) { return q.facts.compiled && !q.facts.compiled->code.empty(); }

/// Returns the facts with a change applied to every part of the code.
template <class Change>
Facts with_code(const Question& q, Change&& change) {
  Facts without = q.facts;
  for (CodeFacts& code : without.compiled->code) {
    change(code);
    code.latency = std::max(code.latency, code.issue);
  }
  return without;
}

/// Returns the part of the code with the largest number, summed over all executions, or null.
template <class Number>
const CodeFacts* most(const Question& q, Number&& number) {
  const CodeFacts* found = nullptr;
  for (const CodeFacts& code : q.facts.compiled->code) {
    const double n = code.times * number(code);
    if (n > 0 && (!found || n > found->times * number(*found))) found = &code;
  }
  return found;
}

std::string at(const SourceLine& line) { return line.line > 0 ? " at " + place(line) : ""; }

// ---- lanes ----

/// Whether lanes idle because blocks end within a warp.
bool has_odd_blocks(const Question& q) { return q.facts.threads_per_block() / q.facts.warps_per_block() < 26; }

Finding of_odd_blocks(const Question& q, Finding made) {
  made.sentence = fmt::format("Blocks of {:.0f} threads limit it: their warps have {:.0f} lanes, and the others idle",
                              q.facts.threads_per_block(), 32 * q.facts.warps_per_block());
  made.idea = "choose a multiple of 32 threads per block";
  made.shown_by = "";
  made.at = {};
  return made;
}

std::optional<Finding> by_passes(const Question& q) {
  double warps = 0, lanes = 0, waste = 0;
  const PassFacts* worst = nullptr;
  Facts without = q.facts;
  for (PassFacts& pass : without.passes) pass.warps = std::min(pass.warps, pass.lanes / 32);
  for (const PassFacts& pass : q.facts.passes) {
    warps += pass.warps;
    lanes += pass.lanes;
    if (pass.warps - pass.lanes / 32 > waste) waste = pass.warps - pass.lanes / 32, worst = &pass;
  }
  if (!worst || lanes > 26 * warps) return std::nullopt;
  Finding made = finding_of(Cause::divergence);
  made.at = worst->at;
  made.worth = q.worth(without);
  if (has_odd_blocks(q)) return of_odd_blocks(q, std::move(made));
  made.sentence = fmt::format("Divergence limits it: {:.0f} of 32 lanes are active on average, {:.0f}{}", lanes / warps,
                              worst->lanes / worst->warps, at(worst->at));
  return made;
}

std::optional<Finding> divergence(const Question& q) {
  // A branch in the source may be a select in machine code: counters of a GPU show the truth.
  if (q.facts.nsight && q.facts.nsight->lanes > 26) return std::nullopt;
  if (!has_code(q)) return by_passes(q);
  double slots = 0, used = 0;
  for (const CodeFacts& code : q.facts.compiled->code) {
    slots += code.times * code.issue;
    used += code.times * code.issue * code.lanes / 32;
  }
  if (slots <= 0 || used > 0.8 * slots) return std::nullopt;
  const CodeFacts* worst = most(q, [](const CodeFacts& c) { return c.issue * (1 - c.lanes / 32); });
  if (!worst) return std::nullopt;
  Finding made = finding_of(Cause::divergence);
  made.at = worst->at;
  made.worth = q.worth(with_code(q, [](CodeFacts& code) {
    code.times *= code.lanes / 32;
    code.lanes = 32;
  }));
  if (has_odd_blocks(q)) return of_odd_blocks(q, std::move(made));
  made.sentence = fmt::format("Divergence limits it: {:.0f} of 32 lanes are active on average, {:.0f}{}",
                              32 * used / slots, worst->lanes, at(worst->at));
  return made;
}

// ---- registers and shared memory ----

std::optional<Finding> spills(const Question& q) {
  if (!q.facts.compiled) return std::nullopt;
  const CompiledFacts& code = *q.facts.compiled;
  const CodeFacts* arrays = has_code(q) ? most(q, [](const CodeFacts& c) { return c.local; }) : nullptr;
  if (code.spill_bytes <= 0 && !arrays) return std::nullopt;
  Facts without = q.facts;
  without.compiled->spill_bytes = 0;
  for (CodeFacts& part : without.compiled->code) part.local = 0;
  Finding made = finding_of(Cause::spills);
  made.worth = q.worth(without);
  if (code.spill_bytes > 0) {
    made.sentence = fmt::format(
        "Spilled registers limit it: with {} registers per thread, {:.0f} bytes are stored to and "
        "loaded from local memory",
        code.registers, code.spill_bytes);
  } else {
    made.at = arrays->at;
    made.sentence = fmt::format(
        "An array in local memory limits it: {:.0f} bytes per thread are indexed by a value that "
        "is known only at run time{}",
        code.stack_bytes, at(arrays->at));
    made.idea = "index the array by constants (unroll the loop around it), or put it into shared memory";
  }
  return made;
}

std::optional<Finding> occupancy_by(const Question& q, Limiter limiter, Cause cause) {
  if (q.held.limiter != limiter || q.held.share > 0.5 || !q.facts.compiled) return std::nullopt;
  Facts without = q.facts;
  if (limiter == Limiter::registers) without.compiled->registers = 32;
  if (limiter == Limiter::shared_memory) without.compiled->static_shared_bytes = without.dynamic_shared_bytes = 0;
  Finding made = finding_of(cause);
  made.worth = q.worth(without);
  const BlockNeeds needs = needs_of(q.facts);
  made.sentence = limiter == Limiter::registers
                      ? fmt::format(
                            "Low occupancy because of registers limits it: {} per thread allow {:.0f} of 64 warps on a "
                            "multiprocessor, too few to hide latency",
                            needs.registers, q.held.share * q.gpu.threads_per_sm / 32)
                      : fmt::format(
                            "Low occupancy because of shared memory limits it: {:.1f} KiB per block allow {} block{} "
                            "({:.0f} of {} warps) on a multiprocessor",
                            needs.shared_bytes / 1024, q.held.blocks, q.held.blocks == 1 ? "" : "s",
                            q.held.share * q.gpu.threads_per_sm / 32, q.gpu.threads_per_sm / 32);
  return made;
}

std::optional<Finding> registers(const Question& q) { return occupancy_by(q, Limiter::registers, Cause::registers); }
std::optional<Finding> shared_memory(const Question& q) {
  return occupancy_by(q, Limiter::shared_memory, Cause::shared_memory);
}

// ---- waiting ----

bool is_chained(const CodeFacts& c) { return c.chain >= 0.6 * c.latency && c.latency > 1.5 * c.issue; }

double warps_per_scheduler(const Question& q) {
  const double resident = std::min(std::ceil(q.facts.blocks / q.gpu.n_sms), double(std::max(q.held.blocks, 1)));
  return resident * q.facts.warps_per_block() / 4;
}

std::optional<Finding> chain(const Question& q) {
  if (!has_code(q)) return std::nullopt;
  const CodeFacts* worst = most(q, [](const CodeFacts& c) { return is_chained(c) ? c.chain : 0; });
  if (!worst) return std::nullopt;
  Finding made = finding_of(Cause::chain);
  made.at = worst->at;
  made.worth = q.worth(with_code(q, [](CodeFacts& c) {
    if (is_chained(c)) c.latency = c.issue;
  }));
  made.sentence = fmt::format(
      "A chain of dependent instructions limits it: {}{} waits for the previous one, about {:.0f} "
      "cycles per iteration, with {:.3g} warps per scheduler to hide them",
      worst->waits_for_memory ? "each load" : "each result", at(worst->at), worst->chain, warps_per_scheduler(q));
  if (worst->waits_for_memory) {
    made.idea = "follow several chains in one thread, or store the links as an array that can be loaded ahead";
    made.shown_by = "gather several_in_flight";
  }
  return made;
}

std::optional<Finding> load_latency(const Question& q) {
  if (!has_code(q)) return std::nullopt;
  const auto waits = [](const CodeFacts& c) {
    return c.loads > 0 && !is_chained(c) && c.latency - c.at_barriers > 3 * c.issue;
  };
  const CodeFacts* worst = most(q, [&](const CodeFacts& c) { return waits(c) ? c.latency : 0; });
  if (!worst) return std::nullopt;
  Finding made = finding_of(Cause::load_latency);
  made.at = worst->at;
  made.worth = q.worth(with_code(q, [&](CodeFacts& c) {
    if (waits(c)) c.latency = c.at_barriers + (c.latency - c.at_barriers) / 8;
  }));
  made.sentence = fmt::format(
      "Waiting for loads limits it: {}{} issues {:.0f} of them and waits about {:.0f} cycles, with {:.3g} warps per "
      "scheduler to hide them",
      worst->is_loop ? "an iteration of the loop" : "a thread", at(worst->at), worst->loads, worst->latency,
      warps_per_scheduler(q));
  if (!worst->is_loop) {
    made.idea = "give a thread several elements and issue their loads together, or load 16 bytes at a time";
    made.shown_by = "mul_add vectorised";
  }
  return made;
}

std::optional<Finding> barriers(const Question& q) {
  if (!has_code(q)) return std::nullopt;
  const CodeFacts* worst = most(q, [](const CodeFacts& c) { return c.at_barriers; });
  if (!worst) return std::nullopt;
  double per_warp = 0, requests = 0;
  for (const BarrierFacts& barrier : q.facts.barriers)
    per_warp += barrier.arrivals / std::max(q.facts.blocks * q.facts.threads_per_block(), 1.0);
  for (const AccessFacts& a : q.facts.accesses) requests += a.requests / std::max(q.facts.warps(), 1.0);
  if (per_warp < 4) return std::nullopt;  // any kernel with a tile has this many
  const BarrierFacts* line = nullptr;
  for (const BarrierFacts& barrier : q.facts.barriers) {
    if (!line || barrier.arrivals > line->arrivals) line = &barrier;
  }
  Finding made = finding_of(Cause::barriers);
  made.at = line->at;
  made.worth = q.worth(with_code(q, [](CodeFacts& c) { c.latency -= c.at_barriers; }));
  made.sentence = fmt::format("Barriers limit it: a warp waits at {:.0f} of them ({}) for {:.0f} memory accesses",
                              per_warp, place(line->at), requests);
  return made;
}

// ---- instructions ----

std::optional<Finding> wide_division(const Question& q) {
  if (!has_code(q)) return std::nullopt;
  const CodeFacts* worst = most(q, [](const CodeFacts& c) { return c.wide_division; });
  if (!worst) return std::nullopt;
  double all = 0, wide = 0;
  for (const CodeFacts& c : q.facts.compiled->code) {
    all += c.times * c.issue;
    wide += c.times * c.wide_division;
  }
  Finding made = finding_of(Cause::wide_division);
  made.at = worst->at;
  made.worth = q.worth(with_code(q, [](CodeFacts& c) {
    const double share = c.issue > 0 ? c.wide_division / c.issue : 0;
    c.issue -= 0.85 * c.wide_division;
    c.latency *= 1 - 0.85 * share;
  }));
  made.sentence = fmt::format(
      "64-bit index arithmetic limits it: 64-bit divisions and remainders{} are about {:.0f} of "
      "the {:.0f} instructions that a warp executes, more for numbers above 32 bits",
      at(worst->at), wide, all);
  return made;
}

}  // namespace

std::vector<CauseCheck> code_causes() {
  return {chain, barriers, divergence, spills, registers, shared_memory, load_latency, wide_division};
}

}  // namespace rafter::explain

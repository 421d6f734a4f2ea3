// What is found wrong about mbarriers and copies that go on by themselves, besides races.
#pragma once

#include <string>

#include "executor/engine/block.hpp"
#include "executor/process/finding.hpp"

namespace rafter::simt {

/// What the mbarriers of a block lack that threads wait for; a line for each.
std::string stuck_mbarriers(const Block& block);

[[gnu::cold, gnu::noinline]] void report_mbarrier(Kind kind, const Mbarrier& barrier, const char* action,
                                                  const void* place, const std::string& detail);
[[gnu::cold, gnu::noinline]] void report_no_mbarrier(const void* place);
[[gnu::cold, gnu::noinline]] void report_in_flight(const Block& block, unsigned thread, const void* place,
                                                   const char* detail);
/// What the hardware asks of a copy's addresses and sizes.
[[gnu::cold, gnu::noinline]] void report_bad_copy(const void* place, const std::string& detail);
/// A wgmma, or an access to its accumulators, that breaks its rules.
[[gnu::cold, gnu::noinline]] void report_wgmma(const void* place, const char* action, const char* detail);
/// What the compute capability that the executor was given does not have.
[[gnu::cold, gnu::noinline]] void report_too_old(const char* what, const void* place);

}  // namespace rafter::simt

// Findings about mbarriers, asynchronous copies and wgmmas, other than races.
#pragma once

#include <string>

#include "executor/engine/block.hpp"
#include "executor/process/finding.hpp"

namespace rafter::simt {

/// Describes the mbarriers that threads of a block wait for, one per line, each after a newline: what they lack.
std::string stuck_mbarriers(const Block& block);
[[gnu::cold, gnu::noinline]] void report_mbarrier(Kind kind, const Mbarrier& barrier, const char* action,
                                                  const void* place, const std::string& detail);
[[gnu::cold, gnu::noinline]] void report_no_mbarrier(const void* place);
/// Reports the copies that a block leaves in flight when it ends, and completes its bulk stores. Shared memory belongs
/// to another block afterwards.
void end_copies(Block& block);
/// Reports an address or size that the hardware does not accept for a copy.
[[gnu::cold, gnu::noinline]] void report_bad_copy(const void* place, const std::string& detail);
/// Reports a wgmma, or an access to its accumulators, that breaks the rules of wgmma.
[[gnu::cold, gnu::noinline]] void report_wgmma(const void* place, const char* action, const char* detail);
/// Reports an operation that the emulated compute capability does not have.
[[gnu::cold, gnu::noinline]] void report_too_old(const char* what, const void* place);

}  // namespace rafter::simt

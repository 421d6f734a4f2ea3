// The checkers' handling of calls of CUDA's libraries: the memory of their operands.
#include <cstddef>
#include <string>

#include "executor/check/check_observer.hpp"
#include "executor/check/memory_checker.hpp"
#include "executor/memory/memory.hpp"
#include "executor/process/findings.hpp"
#include "executor/process/options.hpp"

namespace rafter::simt {
namespace {

using rafter_simt::LibraryOperand;

/// Calls f(address, bytes) for each row, or once if the rows have no gaps.
template <class F>
void for_rows(const LibraryOperand& operand, F&& f) {
  const auto* row = static_cast<const std::byte*>(operand.start);
  if (operand.row_stride == static_cast<std::ptrdiff_t>(operand.row_bytes))
    return f(row, operand.row_bytes * operand.n_rows);
  for (std::size_t i = 0; i < operand.n_rows; ++i, row += operand.row_stride) f(row, operand.row_bytes);
}

Side side_of(const LibraryOperand& operand, const char* call, const void* place, std::size_t bytes, ApiUse use) {
  return {std::string(use == ApiUse::writes ? "writes " : "reads ") + operand.name + ",", place, bytes, {}, {}, call};
}

/// The first bytes of an operand that are outside of live allocations.
struct Outside {
  const std::byte* address = nullptr;
  std::size_t bytes = 0;
  const Allocation* allocation = nullptr;  // the nearest one
  bool was_freed = false;
};

Outside find_outside(const LibraryOperand& operand) {
  Outside outside;
  for_rows(operand, [&](const std::byte* row, std::size_t bytes) {
    if (outside.address != nullptr) return;
    const Allocation* const allocation = memory().find(row);
    const bool fits =
        allocation != nullptr && static_cast<std::size_t>(row - allocation->base) + bytes <= allocation->bytes;
    if (fits && allocation->live) return;
    outside = {row, bytes, allocation != nullptr ? allocation : memory().nearest(row),
               allocation != nullptr && !allocation->live};
  });
  return outside;
}

void report_outside(const LibraryOperand& operand, const char* call, const void* place, ApiUse use) {
  const Outside outside = find_outside(operand);
  if (outside.address == nullptr) return;
  Finding finding{
      .kind = outside.was_freed ? Kind::use_after_free : Kind::out_of_bounds,
      .space = Space::global,
      .kernel = "",
      .sides = {side_of(operand, call, place, outside.bytes, use)},
      .target = std::nullopt,
      .detail = outside.was_freed ? "the memory had been freed" : "the bytes are not all inside the allocation"};
  if (outside.allocation) finding.target = of_allocation(*outside.allocation, outside.address);
  findings().add(std::move(finding));
}

void report_unwritten(const Shadow& shadow, const LibraryOperand& operand, const char* call, const void* place) {
  std::size_t missing = 0;
  const std::byte* first = nullptr;
  for_rows(operand, [&](const std::byte* row, std::size_t bytes) {
    const Shadow::Unwritten unwritten = shadow.unwritten(row, bytes);
    if (unwritten.bytes > 0 && first == nullptr) first = row + unwritten.first;
    missing += unwritten.bytes;
  });
  if (missing == 0) return;
  const Allocation* const allocation = memory().find(first);
  if (allocation == nullptr || !allocation->live) return;  // reported as an access outside
  const std::size_t all = operand.row_bytes * operand.n_rows;
  findings().add({.kind = Kind::uninitialised,
                  .space = Space::global,
                  .kernel = "",
                  .sides = {side_of(operand, call, place, all, ApiUse::reads)},
                  .target = of_allocation(*allocation, first),
                  .detail = missing == all ? "all of these bytes are uninitialised"
                                           : std::to_string(missing) + " of these bytes are uninitialised"});
}

}  // namespace

void CheckObserver::library_accesses(const LibraryOperand& operand, const char* call, const void* place) {
  const auto record = [&](ApiUse use) {
    for_rows(operand, [&](const std::byte* row, std::size_t bytes) { streams_.api_access(row, bytes, use); });
  };
  if (operand.reads) record(ApiUse::reads);
  if (operand.writes) record(ApiUse::writes);
  const ApiUse use = operand.reads ? ApiUse::reads : ApiUse::writes;
  if (memory().holds(operand.start)) {
    report_outside(operand, call, place, use);
    if (operand.reads && !options().judged) report_unwritten(regions_.global(), operand, call, place);
    return;
  }
  const void* const start = operand.start;
  if (regions_.is_variable(start) || memory().is_registered(start)) return;
  findings().add({.kind = start == nullptr ? Kind::out_of_bounds : Kind::kernel_touches_host,
                  .space = start == nullptr ? Space::global : Space::host,
                  .kernel = "",
                  .sides = {side_of(operand, call, place, operand.row_bytes * operand.n_rows, use)},
                  .target = std::nullopt,
                  .detail = start == nullptr ? "the pointer is null" : "the memory is not device memory"});
}

void CheckObserver::library_wrote(const LibraryOperand& operand) {
  for_rows(operand, [&](const std::byte* row, std::size_t bytes) {
    auto* const to = const_cast<std::byte*>(row);
    if (memory().holds(to))
      regions_.global().set(Shadow::Part::written, to, bytes, true);
    else
      wrote_variable(to, bytes);
  });
}

}  // namespace rafter::simt

#include "executor/count/widths.hpp"

#include <algorithm>
#include <bit>

#include "executor/memory/elf_file.hpp"
#include "executor/memory/modules.hpp"

namespace rafter::simt {
namespace {

constexpr std::uint32_t widest = 16;

/// Returns the largest power of two that divides `number`, at most 16.
std::uint32_t power_in(std::uintptr_t number) {
  return number == 0 ? widest : static_cast<std::uint32_t>(std::uint64_t{1} << std::min(std::countr_zero(number), 4));
}

}  // namespace

void Widths::load() {
  if (is_loaded_) return;
  is_loaded_ = true;
  for_own_modules([this](const dl_phdr_info& info) {
    const ElfFile::Section types = ElfFile(info.dlpi_name).section("rafter_types");
    const auto* at = reinterpret_cast<const unsigned*>(info.dlpi_addr + types.address);
    for (std::size_t i = 0; i + 1 < types.bytes / sizeof *at; i += 2) {
      if (at[i] != 0) add(at[i], at[i + 1]);
    }
  });
}

void Widths::add(std::size_t bytes, std::size_t alignment) {
  std::size_t& known = alignments_[bytes];
  known = std::max(known, alignment);
}

std::uint32_t Widths::of(const Request& request) const {
  const auto& [first, bytes, kind] = request.lanes[0];
  if (kind == LaneAccess::Kind::bulk || (kind == LaneAccess::Kind::aligned && bytes <= 8)) return bytes;
  std::uint32_t width = power_in(bytes);
  // An unaligned access of up to 16 bytes means that the compiler could not rely on its alignment (for 16 bytes, on 8).
  if (kind == LaneAccess::Kind::unaligned && std::has_single_bit(bytes) && bytes <= widest)
    width = std::min(bytes / 2, 4U);
  if (const auto known = alignments_.find(bytes); known != alignments_.end())
    width = std::min(width, static_cast<std::uint32_t>(known->second));
  for (unsigned i = 0; i < request.n; ++i) {  // lanes of one memcpy may copy different sizes
    const LaneAccess& lane = request.lanes[i];
    width = std::min({width, power_in(reinterpret_cast<std::uintptr_t>(lane.address)), power_in(lane.bytes)});
  }
  return std::max(width, 1U);
}

}  // namespace rafter::simt

// Small numbers for places in the code: the offset in the program, or an index into a table for code of other modules.
#pragma once

#include <cstdint>
#include <vector>

namespace rafter::simt {

class Sites {
 public:
  Sites();
  std::uint32_t number(const void* place) {
    const auto offset = reinterpret_cast<std::uintptr_t>(place) - base_;
    return offset < first_other ? static_cast<std::uint32_t>(offset) : number_elsewhere(place);
  }
  const void* place(std::uint32_t number) const {
    if (number < first_other) return reinterpret_cast<const void*>(base_ + number);
    return number - first_other < others_.size() ? others_[number - first_other] : nullptr;
  }

 private:
  static constexpr std::uint32_t first_other = (1u << 25) - (1u << 16);
  std::uint32_t number_elsewhere(const void* place);

  std::uintptr_t base_;
  std::vector<const void*> others_;
};

}  // namespace rafter::simt

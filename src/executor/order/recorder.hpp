// Notes what the kernel that runs now touches, word by word. This is on the way of every access, so pages and parties
// that came up last are kept at hand; an access to a word that was touched so before costs a look.
#pragma once

#include <array>
#include <cstdint>

#include "executor/order/parties.hpp"
#include "executor/order/touches.hpp"

namespace rafter::simt {

class Recorder {
 public:
  /// A page as it is for the task: where to note, and whether others touched something of it.
  struct Found {
    Touches::Page* page;
    bool is_contested;
  };

  /// Begins anew: what a page is for the task may have changed.
  void clear() {
    round_ += std::uint64_t{1} << round_shift;
    if (round_ != 0) return;
    pages_.fill({});
    parties_.fill({});
    clear();
  }

  /// Whether a note would change nothing: an access within one word, which was touched so before, and nobody else's.
  bool is_noted(std::uintptr_t at, std::uint32_t bytes, Use use) const {
    const std::uintptr_t number = at / Touches::page_bytes;
    const Entry& entry = pages_[slot(number)];
    if (at % 4 + bytes > 4 || entry.key != (number | round_) || entry.found.is_contested) return false;
    const std::uint16_t mask = TouchedWord::mask(use, ((1u << bytes) - 1) << at % 4);
    return (entry.found.page->words[at % Touches::page_bytes / 4].bytes & mask) == mask;
  }

  /// True: others have touched something of these pages. `find(number)` gives what is Found, `name(place)` a
  /// PartyNumber.
  template <class Find, class Name>
  bool note(Bytes bytes, Use use, const void* place, Find&& find, Name&& name) {
    bool is_contested = false;
    for (std::uintptr_t at = bytes.begin; at < bytes.end;) {
      const std::uintptr_t stop = at / 4 * 4 + 4 < bytes.end ? at / 4 * 4 + 4 : bytes.end;
      const std::uintptr_t number = at / Touches::page_bytes;
      Entry& entry = pages_[slot(number)];
      if (entry.key != (number | round_)) entry = {number | round_, find(number)};
      is_contested |= entry.found.is_contested;
      TouchedWord& touch = entry.found.page->words[at % Touches::page_bytes / 4];
      const std::uint16_t mask = TouchedWord::mask(use, ((1u << (stop - at)) - 1) << at % 4);
      if ((touch.bytes & mask) != mask) {
        touch.bytes = static_cast<std::uint16_t>(touch.bytes | mask);
        if (PartyNumber& party = touch.party(use); party == 0) party = number_of(place, name);
      }
      at = stop;
    }
    return is_contested;
  }

 private:
  static constexpr int round_shift = 40;  // above the number of any page
  /// Arrays lie at multiples of large powers of two.
  static std::size_t slot(std::uintptr_t number) { return number * 0x9e3779b97f4a7c15u >> 56; }
  struct Entry {
    std::uint64_t key = 0;  // number and round
    Found found{};
  };
  struct Named {
    const void* place = nullptr;
    std::uint64_t round = 0;
    PartyNumber number = 0;
  };
  template <class Name>
  PartyNumber number_of(const void* place, Name&& name) {
    Named& named = parties_[reinterpret_cast<std::uintptr_t>(place) / 4 % parties_.size()];
    if (named.place != place || named.round != round_) named = {place, round_, name(place)};
    return named.number;
  }

  std::uint64_t round_ = std::uint64_t{1} << round_shift;
  std::array<Entry, 256> pages_;
  std::array<Named, 64> parties_;
};

}  // namespace rafter::simt

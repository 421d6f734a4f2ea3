// Notes what the kernel that runs now touches, word by word. This is on the way of every access, so pages and parties
// that came up last are kept at hand; an access to a word that was touched so before costs a look.
#pragma once

#include <array>
#include <cstdint>

#include "simt/order/parties.hpp"
#include "simt/order/touches.hpp"

namespace rafter::simt {

class Recorder {
 public:
  /// A page as it is for the task: where to note, and whether others touched something of it.
  struct Entry {
    std::uintptr_t number = ~std::uintptr_t{0};
    Touches::Page* page = nullptr;
    bool is_contested = false;
  };

  /// Begins anew: what a page is for the task may have changed.
  void clear() {
    pages_.fill({});
    parties_.fill({});
  }

  /// True: others have touched something of these pages. `find(number)` makes an Entry, `name(place)` a PartyNumber.
  template <class Find, class Name>
  bool note(Bytes bytes, Use use, const void* place, Find&& find, Name&& name) {
    bool is_contested = false;
    for (std::uintptr_t at = bytes.begin; at < bytes.end;) {
      const std::uintptr_t stop = at / 4 * 4 + 4 < bytes.end ? at / 4 * 4 + 4 : bytes.end;
      const std::uintptr_t number = at / Touches::page_bytes;
      Entry& entry = pages_[number % pages_.size()];
      if (entry.number != number) [[unlikely]]
        entry = find(number);
      is_contested |= entry.is_contested;
      TouchedWord& touch = entry.page->words[at % Touches::page_bytes / 4];
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
  struct Named {
    const void* place = nullptr;
    PartyNumber number = 0;
  };
  template <class Name>
  PartyNumber number_of(const void* place, Name&& name) {
    Named& named = parties_[reinterpret_cast<std::uintptr_t>(place) / 4 % parties_.size()];
    if (named.place != place) [[unlikely]]
      named = {place, name(place)};
    return named.number;
  }

  std::array<Entry, 256> pages_;
  std::array<Named, 64> parties_;
};

}  // namespace rafter::simt

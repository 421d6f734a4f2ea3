#include "executor/check/provenance.hpp"

#include <algorithm>
#include <cstring>

namespace rafter::simt {

void AddressRanges::add(const std::byte* begin, std::size_t bytes) {
  remove(begin, bytes);
  if (bytes > 0) ends_[begin] = begin + bytes;
}

void AddressRanges::remove(const std::byte* begin, std::size_t bytes) {
  auto at = ends_.upper_bound(begin);
  if (at != ends_.begin() && std::prev(at)->second > begin) --at;
  while (at != ends_.end() && at->first < begin + bytes) at = ends_.erase(at);
}

bool AddressRanges::holds(const void* address) const {
  const auto* const at = static_cast<const std::byte*>(address);
  const auto after = ends_.upper_bound(at);
  return after != ends_.begin() && at < std::prev(after)->second;
}

Provenance& provenance() {
  static Provenance& only = *new Provenance;  // never destroyed: findings are made while static objects are destroyed
  return only;
}

void Provenance::forget_output(Regions& regions, std::byte* begin, std::size_t bytes) {
  regions.global().set(Shadow::Part::written, begin, bytes, false);
  outputs_.add(begin, bytes);
}

void Provenance::set_argument(Regions& regions, std::byte* begin, std::size_t bytes, bool is_argument) {
  if (is_argument && !foreign_.holds(begin)) return;
  regions.global().set(Shadow::Part::exists, begin, bytes, is_argument);
  is_argument ? foreign_.remove(begin, bytes) : foreign_.add(begin, bytes);
}

void Provenance::forget_state(std::span<Shadow> module_data) {
  for (Shadow& shadow : module_data) {
    auto image = std::find_if(images_.begin(), images_.end(), [&](const Image& i) { return i.base == shadow.base; });
    if (image == images_.end()) {
      images_.push_back({shadow.base, {shadow.base, shadow.base + shadow.bytes}});
      continue;
    }
    const std::vector<std::byte>& initial = image->initial;
    shadow.set(Shadow::Part::written, shadow.base, shadow.bytes, true);
    if (std::memcmp(initial.data(), shadow.base, initial.size()) == 0) continue;
    for (std::size_t at = 0; at < initial.size(); ++at) {
      if (initial[at] != shadow.base[at] && !kept_.holds(shadow.base + at))
        shadow.set(Shadow::Part::written, shadow.base + at, 1, false);
    }
  }
}

std::vector<std::string> Provenance::keep(const std::string& variable) {
  std::vector<std::string> known;
  bool is_known = false;
  for (const ModuleVariable& found : module_variables()) {
    if (found.is_of_program) continue;
    known.push_back(found.name());
    if (known.back() != variable) continue;
    kept_.add(found.base, found.bytes);
    is_known = true;
  }
  return is_known ? std::vector<std::string>() : known;
}

void Provenance::freed(const std::byte* begin, std::size_t bytes) {
  outputs_.remove(begin, bytes);
  foreign_.remove(begin, bytes);
}

bool Provenance::is_state(const void* address) const {
  const auto* const at = static_cast<const std::byte*>(address);
  return std::any_of(images_.begin(), images_.end(),
                     [&](const Image& i) { return at >= i.base && at < i.base + i.initial.size(); });
}

}  // namespace rafter::simt

#include "simt/check/memory_events.hpp"

#include "simt/check/check_observer.hpp"
#include "simt/check/findings.hpp"

namespace rafter::simt {

void memory_allocated(const Allocation& allocation) {
  CheckObserver* checker = checking();
  if (!checker) return;
  Shadow& shadow = checker->regions().global();
  shadow.set(Shadow::Part::exists, allocation.base, allocation.bytes, true);
  // What host code writes to memory it can touch is not always seen.
  shadow.set(Shadow::Part::written, allocation.base, allocation.bytes, allocation.kind != MemoryKind::device);
}

void memory_freed(const Allocation& allocation) {
  if (CheckObserver* checker = checking()) {
    checker->regions().global().set(Shadow::Part::exists, allocation.base, allocation.bytes, false);
  }
}

void memory_forbidden(const void* from, std::size_t bytes) {
  if (CheckObserver* checker = checking()) checker->regions().global().set(Shadow::Part::exists, from, bytes, false);
}

void report_bad_free(void*, const Allocation* known, const void* call_site) {
  Finding finding{Kind::invalid_free, Space::global, "", {{"frees", call_site, 0, {}, {}}}, std::nullopt, ""};
  if (known && !known->live) {
    finding.kind = Kind::double_free;
    finding.detail = "it had been freed already";
    finding.sides.push_back({"freed it first", known->freed_at, 0, {}, {}});
  } else {
    finding.detail = "it is not the start of an allocation of that kind";
  }
  if (known)
    finding.target =
        Target{std::string(name(known->kind)) + " memory", known->bytes, 0, known->made_at, known->freed_at};
  findings().add(std::move(finding));
}

bool api_may_touch(const void* address, std::size_t bytes, ApiUse use, const void* call_site) {
  if (!checking() || bytes == 0 || !memory().holds(address)) return true;
  const Allocation* allocation = memory().find(address);
  const bool is_inside = allocation != nullptr;
  if (!is_inside) allocation = memory().nearest(address);
  const std::int64_t offset = allocation ? static_cast<const std::byte*>(address) - allocation->base : 0;
  const bool fits = is_inside && static_cast<std::size_t>(offset) + bytes <= allocation->bytes;
  if (fits && allocation->live) return true;
  const bool was_freed = is_inside && !allocation->live;
  Finding finding{
      was_freed ? Kind::use_after_free : Kind::out_of_bounds,
      Space::global,
      "",
      {{use == ApiUse::writes ? "copies to" : "copies from", call_site, static_cast<std::uint32_t>(bytes), {}, {}}},
      std::nullopt,
      was_freed ? "the memory had been freed" : "the bytes do not all lie in the allocation"};
  if (allocation) {
    finding.target = Target{std::string(name(allocation->kind)) + " memory", allocation->bytes, offset,
                            allocation->made_at, allocation->freed_at};
  }
  findings().add(std::move(finding));
  return false;
}

void api_wrote(void* to, const void* from, std::size_t bytes) {
  CheckObserver* checker = checking();
  if (!checker || bytes == 0 || !memory().holds(to)) return;
  Shadow& shadow = checker->regions().global();
  if (from && memory().holds(from) && memory().kind_at(from) == MemoryKind::device) {
    shadow.copy_written(to, shadow, from, bytes);
  } else {
    shadow.set(Shadow::Part::written, to, bytes, true);
  }
}

void report_leaks() {
  for (const Allocation& allocation : memory().live()) {
    findings().add(
        {Kind::leak,
         Space::global,
         "",
         {{"allocates", allocation.made_at, 0, {}, {}}},
         Target{std::string(name(allocation.kind)) + " memory", allocation.bytes, 0, allocation.made_at, nullptr},
         "it was never freed"});
  }
}

}  // namespace rafter::simt

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

// What a call reads is not judged: copying back a buffer that was filled in part is how programs work.
void api_reads(const void*, std::size_t, const void*) {}

void api_writes(void* to, const void* from, std::size_t bytes, const void*) {
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

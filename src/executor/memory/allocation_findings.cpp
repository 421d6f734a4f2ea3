#include "executor/memory/allocation_findings.hpp"

#include "executor/process/findings.hpp"

namespace rafter::simt {

void report_bad_free(const Allocation* known, const void* call_site) {
  Finding finding{Kind::invalid_free, Space::global, "", {{"frees", call_site, 0, {}, {}}}, std::nullopt, ""};
  if (known && !known->live) {
    finding.kind = Kind::double_free;
    finding.detail = "it was already freed";
    finding.sides.push_back({"freed it first", known->freed_at, 0, {}, {}});
  } else {
    finding.detail = "it is not the start of an allocation of that kind";
  }
  if (known)
    finding.target =
        Target{std::string(name(known->kind)) + " memory", known->bytes, 0, known->made_at, known->freed_at};
  findings().add(std::move(finding));
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

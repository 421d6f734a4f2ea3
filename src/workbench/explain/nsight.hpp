// Facts from Nsight Compute, where there is a GPU whose counters may be read.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "workbench/explain/facts.hpp"

namespace rafter::explain {

struct NsightCounters {
  std::map<std::string, NsightFacts> kernels{};  ///< by name; of the first launch of each
  std::string why_not{};                         ///< empty: it could be used
};

/// What `ncu --csv --print-units base` printed.
NsightCounters parse_ncu(const std::string& text);

/// Builds the program (`words` as nvcc takes them) and runs it under ncu. Throws nothing for what they say.
NsightCounters count_with_ncu(const std::vector<std::string>& words, const std::vector<std::string>& arguments,
                              const std::filesystem::path& scratch);

void add_nsight(Facts& facts, const NsightCounters& counters);

}  // namespace rafter::explain

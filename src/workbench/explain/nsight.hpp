// Facts from Nsight Compute, if there is a GPU with readable counters.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "workbench/explain/facts.hpp"

namespace rafter::explain {

struct NsightCounters {
  std::map<std::string, NsightFacts> kernels{};  ///< first launch of each kernel, by name
  std::string why_not{};                         ///< why it could not be used, or empty
};

/// Parses the output of `ncu --csv --print-units base`.
NsightCounters parse_ncu(const std::string& text);

/// Builds the program (`words` are arguments of nvcc) and runs it under ncu. Errors of these tools do not throw.
NsightCounters count_with_ncu(const std::vector<std::string>& words, const std::vector<std::string>& arguments,
                              const std::filesystem::path& scratch);

void add_nsight(Facts& facts, const NsightCounters& counters);

}  // namespace rafter::explain

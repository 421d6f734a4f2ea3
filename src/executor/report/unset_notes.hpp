// What the compiler saw and no run can: locals that are used before they have a value.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "executor/build/unset_locals.hpp"

namespace rafter::simt::report {

/// A note, or a finding, for each that is certain, of kernels that ran and of the functions they may call.
enum class Weight { note, finding };
void add_unset_locals(nlohmann::json& report, const std::vector<build::UnsetLocal>& locals, Weight weight);

/// The same as a finding, for findings_text.
nlohmann::json finding_of(const build::UnsetLocal& local);

}  // namespace rafter::simt::report

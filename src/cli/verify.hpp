// rafter verify: is a signed results file as it was signed, and are its sources still the same.
#pragma once

#include "cli/options.hpp"

namespace rafter::cli {

int verify(const VerifyOptions& options);

}  // namespace rafter::cli

// What is said when loaded code crashes.
#pragma once

#include <string>
#include <vector>

namespace rafter::cli {

/// From now on a segmentation fault, a division by zero and the like end this program with a sentence that names what
/// was loaded, and exit_failed. Results of finished cases are in their file by then.
void explain_crashes(const std::vector<std::string>& loaded);

}  // namespace rafter::cli

// --sign: commands that sign the results file that they write.
#pragma once

#include <functional>
#include <string>

namespace rafter::cli {

/// Performs `work`, which returns an exit code, and then signs the file if `key` is not empty and `work` had results.
/// Throws Error before `work` if the file could not be signed.
int signing(const std::string& key, const std::string& json_path, const std::function<int()>& work);

}  // namespace rafter::cli

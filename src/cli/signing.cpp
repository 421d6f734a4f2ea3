#include "cli/signing.hpp"

#include "base/exit_code.hpp"
#include "base/signature.hpp"

namespace rafter::cli {

int signing(const std::string& key, const std::string& json_path, const std::function<int()>& work) {
  if (key.empty()) return work();
  base::require_signable(json_path, key);
  const int code = work();
  if (code == base::exit_good || code == base::exit_no) base::sign_file(json_path, key);
  return code;
}

}  // namespace rafter::cli

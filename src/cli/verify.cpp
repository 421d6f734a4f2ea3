#include "cli/verify.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/exit_code.hpp"
#include "base/files.hpp"
#include "base/json_file.hpp"
#include "base/sha256.hpp"
#include "base/signature.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {

namespace {

/// Compares the sources that the results name with the files there are now. Returns whether none differs.
bool show_sources(const nlohmann::json& document) {
  bool all_same = true;
  for (const nlohmann::json& source : document.value("sources", nlohmann::json::array())) {
    const std::string file = source.at("file");
    const auto text = base::read_file(file);
    const bool is_same = text && base::hex(base::sha256(*text)) == source.at("sha256").get<std::string>();
    fmt::print("source '{}': {}\n", file,
               !text     ? "not here"
               : is_same ? "the same as when it was measured"
                         : "CHANGED since it was measured");
    all_same = all_same && (is_same || !text);
  }
  return all_same;
}

}  // namespace

int verify(const VerifyOptions& options) {
  if (options.signers.empty() != options.identity.empty())
    throw Error(ErrorCode::bad_argument, "--signers FILE and --identity NAME belong together");
  const base::SignatureCheck check = base::check_signature(options.file, {options.signers, options.identity});
  if (!check.is_good) {
    fmt::print("BAD: '{}' is not what was signed, or another key signed it\n  {}\n", options.file, check.said);
    return base::exit_no;
  }
  fmt::print("signed: {}\n", check.said);
  if (options.signers.empty()) fmt::print("  whose key this is has not been checked: --signers FILE --identity NAME\n");
  const nlohmann::json document = base::read_json(options.file);
  if (document.contains("command")) fmt::print("command: {}\n", document["command"].get<std::string>());
  return show_sources(document) ? base::exit_good : base::exit_no;
}

}  // namespace rafter::cli

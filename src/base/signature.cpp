#include "base/signature.hpp"

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/process.hpp"
#include "rafter/error.hpp"

namespace rafter::base {

namespace fs = std::filesystem;

namespace {

constexpr const char* name_space = "rafter-results";  // a signature of another kind of file does not count

void require_ssh_keygen() {
  if (run({"sh", "-c", "command -v ssh-keygen"}).succeeded()) return;
  throw Error(ErrorCode::unsupported, "signatures need ssh-keygen, which is not installed (Debian: openssh-client)");
}

fs::path signature_of(const fs::path& file) { return file.string() + ".sig"; }

std::string first_line(const std::string& text) { return text.substr(0, text.find_first_of("\r\n")); }

}  // namespace

void require_signable(const fs::path& file, const fs::path& key) {
  if (file.empty() || file == "-" || !is_replaceable(file))
    throw Error(ErrorCode::bad_argument, "--sign needs --json FILE: the signature is written to FILE.sig");
  if (!fs::is_regular_file(key))
    throw Error(ErrorCode::io,
                fmt::format("there is no key '{0}'; ssh-keygen -t ed25519 -f {0} makes one", key.string()));
  require_ssh_keygen();
  std::error_code error;
  fs::remove(signature_of(file), error);
  if (error) throw Error(ErrorCode::io, fmt::format("cannot remove the old '{}'", signature_of(file).string()));
}

void sign_file(const fs::path& file, const fs::path& key) {
  const Outcome ended = run_process(
      {.command = {"ssh-keygen", "-q", "-Y", "sign", "-f", key.string(), "-n", name_space, fs::absolute(file).string()},
       .streams = Streams::inherited_stderr,
       .session = Session::inherited});
  if (!ended.succeeded() || !fs::exists(signature_of(file)))
    throw Error(ErrorCode::io, fmt::format("ssh-keygen could not sign '{}' with '{}'", file.string(), key.string()));
}

SignatureCheck check_signature(const fs::path& file, const Signers& signers) {
  require_ssh_keygen();
  const fs::path signature = signature_of(file);
  for (const fs::path& needed : {file, signature}) {
    if (!read_file(needed)) throw Error(ErrorCode::io, fmt::format("cannot read '{}'", needed.string()));
  }
  Command command{"sh", "-c"};
  if (signers.file.empty()) {
    command.insert(command.end(), {R"(exec ssh-keygen -Y check-novalidate -n "$1" -s "$2" < "$3")", "sh", name_space,
                                   signature.string(), file.string()});
  } else {
    command.insert(command.end(),
                   {R"(exec ssh-keygen -Y verify -n "$1" -s "$2" -f "$4" -I "$5" < "$3")", "sh", name_space,
                    signature.string(), file.string(), signers.file.string(), signers.identity});
  }
  const Outcome ended = run(command);
  return {ended.succeeded(), first_line(ended.output)};
}

}  // namespace rafter::base

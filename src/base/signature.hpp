// Signatures of files in the format of `ssh-keygen -Y`, made and verified by ssh-keygen: FILE.sig lies beside FILE.
#pragma once

#include <filesystem>
#include <string>

namespace rafter::base {

/// Throws Error, before anything is measured, if sign_file() cannot succeed: bad_argument for a `file` that is standard
/// output, io for a missing key, unsupported without ssh-keygen. Removes the signature of the file's previous content.
void require_signable(const std::filesystem::path& file, const std::filesystem::path& key);

/// Signs the file with a private key, or with a public one whose private key ssh-agent holds. ssh-keygen may ask for
/// the key's passphrase on the terminal. Throws Error (io) with ssh-keygen's message.
void sign_file(const std::filesystem::path& file, const std::filesystem::path& key);

/// The people whose signatures count: a file in ssh-keygen's format "allowed signers", and the name to look for in it.
struct Signers {
  std::filesystem::path file{};  ///< Empty: any key; the signature only shows that the file has not changed.
  std::string identity{};
};

struct SignatureCheck {
  bool is_good = false;
  std::string said{};  ///< What ssh-keygen said, with the fingerprint of the key; one line.
};

/// Verifies FILE.sig. Throws Error: io if the file or its signature cannot be read, unsupported without ssh-keygen.
SignatureCheck check_signature(const std::filesystem::path& file, const Signers& signers);

}  // namespace rafter::base

// The files to judge.
#pragma once

#include <string>
#include <vector>

namespace rafter::judge {

struct Submission {
  std::string file;
  std::string sha256;  ///< Of the file's content.
};

/// The files of a folder that count as submissions: CUDA sources, and, where they are taken, solutions in JSON
/// (trial/challenge).
enum class Kinds { sources, sources_and_solutions };

/// Returns the files: those that are named, and the submissions in the folders that are named and below, in the order
/// of their names. Each file occurs once. Throws Error (io, bad_argument) for what is neither a file nor a folder, and
/// if there are none.
std::vector<Submission> find_submissions(const std::vector<std::string>& paths, Kinds kinds = Kinds::sources);

/// Returns the SHA-256 of a file, or "" if it cannot be read.
std::string sha256_of(const std::string& file);

}  // namespace rafter::judge

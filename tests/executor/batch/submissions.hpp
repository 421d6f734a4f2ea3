// Submissions for the exercise sum_atomic: right kernels in many styles, wrong and cheating ones, and files whose host
// code attacks the judge, the machine or the other submissions.
#pragma once

#include <string>
#include <vector>

namespace rafter::simt::test {

struct Submitted {
  std::string name;  ///< Of the file, without its ending.
  std::string text;
  bool is_right;
};

/// Returns 140 right submissions and 60 others, in an order that mixes them.
std::vector<Submitted> all_submissions();

}  // namespace rafter::simt::test

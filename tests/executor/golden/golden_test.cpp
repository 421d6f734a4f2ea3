// Checks every golden program: it reports the findings its head expects and no others. With a NAME.expected, the output
// must match it exactly.
#include <optional>

#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

/// A hazard that a line of a head expects, or a finding of a report.
struct Hazard {
  std::string kind, kernel, space;
  std::vector<int> lines;
};

struct Head {
  std::vector<Hazard> expected, allowed;
  std::string options;
  bool is_clean = false;
};

Hazard read_hazard(std::istringstream& words) {
  Hazard hazard;
  words >> hazard.kind;
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
    if (name == "kernel") {
      hazard.kernel = value;
    } else if (name == "space") {
      hazard.space = value;
    } else if (name == "line" || name == "other") {
      hazard.lines.push_back(std::stoi(value));
    } else {
      ADD_FAILURE() << "unknown word in the head: " << word;
    }
  }
  return hazard;
}

Head read_head(const fs::path& file) {
  Head head;
  std::ifstream input(file);
  for (std::string line; std::getline(input, line) && line.starts_with("//");) {
    std::istringstream words(line.substr(2));
    std::string what;
    words >> what;
    if (what == "options:") std::getline(words, head.options);
    if (what != "expect:" && what != "allow:") continue;
    const Hazard hazard = read_hazard(words);
    if (hazard.kind == "clean") {
      head.is_clean = true;
    } else {
      (what == "expect:" ? head.expected : head.allowed).push_back(hazard);
    }
  }
  return head;
}

/// Returns a kernel's name without its namespaces and template arguments.
std::string short_name(std::string kernel) {
  kernel = kernel.substr(0, kernel.find('<'));
  const std::size_t colons = kernel.rfind("::");
  return kernel.empty() ? "-" : colons == std::string::npos ? kernel : kernel.substr(colons + 2);
}

Hazard to_hazard(const json& finding) {
  Hazard hazard{finding["kind"], short_name(finding["kernel"]), finding.value("space", ""), {}};
  for (const json& side : finding["sides"]) {
    if (side["place"].contains("line")) hazard.lines.push_back(side["place"]["line"]);
  }
  return hazard;
}

/// Whether the finding has every property that the head gives.
bool fits(const Hazard& expected, const Hazard& found) {
  std::vector<int> left = found.lines;
  for (int line : expected.lines) {
    const auto at = std::find(left.begin(), left.end(), line);
    if (at == left.end()) return false;
    left.erase(at);
  }
  return expected.kind == found.kind && expected.kernel == found.kernel &&
         (expected.space.empty() || expected.space == found.space);
}

bool fits_any(const std::vector<Hazard>& expected, const Hazard& found) {
  return std::any_of(expected.begin(), expected.end(), [&](const Hazard& one) { return fits(one, found); });
}

class Golden : public testing::TestWithParam<fs::path> {};

TEST_P(Golden, ReportsWhatItsHeadExpects) {
  const fs::path file = GetParam(), folder = file.parent_path();
  const Head head = read_head(file);
  ASSERT_NE(head.expected.empty(), !head.is_clean) << "the head must have expect lines: findings or clean";
  const std::string words = "check " + file.filename().string() + " " + head.options;
  const Outcome outcome = rafter(folder, words + " --json");
  const json report = outcome.report();
  ASSERT_TRUE(report.is_object()) << outcome.all();
  EXPECT_EQ(outcome.code, head.expected.empty() ? 0 : 1) << outcome.all();
  EXPECT_FALSE(head.is_clean && report["kernels"].empty()) << "no kernel was checked";
  std::vector<Hazard> found;
  for (const json& finding : report["findings"]) {
    found.push_back(to_hazard(finding));
    EXPECT_TRUE(fits_any(head.expected, found.back()) || fits_any(head.allowed, found.back()))
        << "a false positive: " << finding.dump(2);
  }
  for (const Hazard& hazard : head.expected) {
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const Hazard& one) { return fits(hazard, one); }))
        << "not reported: " << hazard.kind << " at line " << hazard.lines.front() << "\n"
        << outcome.out;
  }
  fs::path expected = file;
  expected.replace_extension(".expected");
  if (fs::exists(expected)) {
    EXPECT_EQ(rafter(folder, words).out, text_of(expected))
        << "if the new output is correct, run tests/executor/update_golden.sh";
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Golden, testing::ValuesIn(sources_in(here / "golden")), name_of);

TEST(GoldenPrograms, EveryHazardHasACleanCounterpart) {
  std::size_t n_texts = 0;
  for (const fs::path& file : sources_in(here / "golden")) {
    const std::string name = file.stem().string();
    if (name.ends_with("_fixed") || name.ends_with("_clean")) {
      EXPECT_TRUE(read_head(file).is_clean) << file;
    } else {
      EXPECT_TRUE(fs::exists(file.parent_path() / (name + "_fixed.cu"))) << file;
    }
    n_texts += fs::exists(file.parent_path() / (name + ".expected"));
  }
  EXPECT_GE(n_texts, 8u);
}

}  // namespace
}  // namespace rafter::simt::test

// rafter report as a user meets it: results in, a page out.
#include "../workbench/compare/made_results.hpp"
#include "base/files.hpp"
#include "cli.hpp"

namespace rafter {
namespace {

using cli::Outcome;
using nlohmann::json;

class ReportCli : public cli::Cli {
 protected:
  void SetUp() override {
    cli::Cli::SetUp();
    json op = compare::rung("chunked", compare::times(1000, 1));
    op.update({{"kind", "rung"}, {"median_ns", 1000.}, {"floor_ns", 500.}});
    base::write_file(file("r.json"), compare::document({op}).dump());
  }
};

TEST_F(ReportCli, WritesAPage) {
  const Outcome made =
      rafter("report " + file("r.json") + " " + file("r.json") + " --out " + file("r.html") + " --title 'My <sum>'");
  EXPECT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(has(made.out, "Report:  " + file("r.html"))) << made.out;
  const std::string page = text_of(file("r.html"));
  EXPECT_TRUE(has(page, "<h1>My &lt;sum&gt;</h1>") && has(page, "chunked") && has(page, "<td>50%</td>")) << page;
  const Outcome printed = rafter("report " + file("r.json") + " --out -");
  EXPECT_TRUE(printed.out.starts_with("<!doctype html>") && printed.out.ends_with("</html>\n"));
}

TEST_F(ReportCli, RejectsBadInputAndChangesNothing) {
  base::write_file(file("r.html"), "what was there");
  base::write_file(file("half.json"), text_of(file("r.json")).substr(0, 60));
  for (const auto& [results, words] :
       {std::pair{file("none.json"), "cannot read"}, {file("half.json"), "is not JSON, or is truncated"}}) {
    const Outcome refused = rafter("report " + results + " --out " + file("r.html"));
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(has(refused.err, words)) << refused.err;
  }
  EXPECT_EQ(text_of(file("r.html")), "what was there");
  EXPECT_TRUE(has(rafter("report " + file("r.json") + " --out " + file("r.json")).err,
                  "is an input file and cannot be the output"));
  EXPECT_EQ(rafter("report " + file("r.json")).code, 2) << "no --out";
}

}  // namespace
}  // namespace rafter

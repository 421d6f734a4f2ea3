// A page of results: whole in itself, well formed, and what a browser makes of it.
#include "report/page.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "../lab/temporary_folder.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "draw/render.hpp"
#include "rafter/error.hpp"
#include "report/html.hpp"

namespace rafter::report {
namespace {

using nlohmann::json;

json rung(const std::string& name, std::int64_t n, double ns, const char* kind = "rung") {
  json one{{"workload", "heat"},
           {"params", {{"n", n}, {"dtype", "float32"}}},
           {"device", "cpu"},
           {"regime", "cold"},
           {"rung", name},
           {"kind", kind},
           {"verified", ns > 0},
           {"status", ns > 0 ? "verified" : "WRONG"},
           {"floor_ns", 100.},
           {"floor_limit", "memory"},
           {"seed", 7},
           {"idea", "A loop <of> \"its\" own."},
           {"bytes_read", 600.},
           {"detail", "element 3 is <nan>"},
           {"bytes_written", 400.},
           {"operations", {{"fp32", 2000. * static_cast<double>(n)}}}};
  if (ns > 0) one["median_ns"] = ns, one["interval_ns"] = {0.99 * ns, 1.02 * ns};
  return one;
}

json example() {
  return {{"machine", {{"cpu", "A & B"}, {"threads", 1}, {"isa", "v3"}}},
          {"roofs",
           {{"read_bytes_per_s", 1e10},
            {"write_bytes_per_s", 1e10},
            {"copy_bytes_per_s", 1e10},
            {"operations_per_s", {{"fp32", 1e11}}}}},
          {"sweep", {{"parameter", "n"}, {"meaning", "cells"}}},
          {"results",
           {rung("plain", 1024, 1000), rung("broken", 1024, 0), rung("op", 1024, 125),
            rung("library", 1024, 250, "peer"), rung("plain", 4096, 4000), rung("op", 4096, 500)}}};
}

std::string example_page() {
  const json results = example();
  const Source sources[] = {{"r.json", &results}};
  return page("A <title> of 2^10", sources);
}

TEST(Html, OfTextsIsNoMarkup) {
  EXPECT_EQ(escaped("a<b>&\"c\" 2^28 x^-3 ^ y^z"), "a&lt;b&gt;&amp;&quot;c&quot; 2<sup>28</sup> x<sup>-3</sup> ^ y^z");
  EXPECT_EQ(attribute("2^28 \"<"), "2^28 &quot;&lt;");
}

TEST(Html, Base64IsAsInItsStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

/// Elements that were opened and not closed, or closed and not opened.
std::string unbalanced(const std::string& html) {
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-z0-9]+)[^>]*>");
  for (std::sregex_iterator at(html.begin(), html.end(), tag), end; at != end; ++at) {
    const std::string name = (*at)[2];
    if (name == "meta" || name == "img") continue;
    if ((*at)[1] == "") {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return "</" + name + ">";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + ">";
}

/// Without what is in pictures.
std::string without_data(std::string html) {
  const std::string begin = "base64,";
  for (std::size_t at = html.find(begin); at != std::string::npos; at = html.find(begin, at + 1))
    html.erase(at + begin.size(), html.find('"', at) - at - begin.size());
  return html;
}

TEST(Page, IsWellFormedAndWholeInItself) {
  const std::string html = without_data(example_page());
  EXPECT_EQ(unbalanced(html), "");
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  for (const char* outside : {"http://", "https://", "<script", "<link", "url("})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  EXPECT_LT(example_page().size(), 2000000u);
}

TEST(Page, SaysWhatWasMeasured) {
  const std::string html = without_data(example_page());
  for (const char* text :
       {"<h1>A &lt;title&gt; of 2<sup>10</sup></h1>", "A &amp; B, 1 thread, v3", "dtype=float32 n=2<sup>10</sup>",
        "125 ns", "8.00x", "2.00x", "title=\"125 ns, 95 %: 123.75 to 127.5\"", "<td>80%</td>",
        "title=\"A loop &lt;of&gt; &quot;its&quot; own.\"", "WRONG: element 3 is &lt;nan&gt;", "<tr class=\"peer\">",
        "rafter run heat --device cpu --regime cold --seed 7 --dtype float32 --n 1024"})
    EXPECT_NE(html.find(text), std::string::npos) << text;
  if (draw::why_no_drawing()) GTEST_SKIP() << *draw::why_no_drawing();
  EXPECT_NE(html.find("alt=\"sweep of heat\""), std::string::npos);
  EXPECT_NE(html.find("alt=\"roofline of heat\""), std::string::npos);
}

TEST(Page, OfWhatIsNoResultsIsRefusedWithTheFilesName) {
  for (const json& bad : {json::array(), json::object(), json{{"results", 1}}}) {
    const Source sources[] = {{"bad.json", &bad}};
    try {
      page("", sources);
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("bad.json: this is not what 'rafter run' writes"))
          << error.what();
    }
  }
}

TEST(Page, IsShownByABrowserAtAnyWidth) {
  if (!base::run({"sh", "-c", "command -v chromium"}).well()) GTEST_SKIP() << "there is no chromium";
  const lab::TemporaryFolder folder;
  base::write_file(folder.path() / "r.html", example_page());
  for (const char* width : {"400", "900", "1400"}) {
    const base::Outcome shown = base::run_process(
        {.command = {"chromium", "--headless", "--no-sandbox", "--disable-gpu",
                     "--user-data-dir=" + folder.path().string(), std::string("--window-size=") + width + ",1000",
                     "--screenshot=" + (folder.path() / "s.png").string(),
                     "file://" + (folder.path() / "r.html").string()},
         .time_limit_s = 60});
    EXPECT_TRUE(shown.well()) << shown.output;
    const std::string png = base::read_file(folder.path() / "s.png").value_or("");
    EXPECT_GT(png.size(), 10000u) << "an empty page is smaller";
  }
}

}  // namespace
}  // namespace rafter::report

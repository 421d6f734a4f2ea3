// The HTML report is self-contained, well formed and shown correctly by a browser.
#include "workbench/report/page.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "../lab/temporary_folder.hpp"
#include "base/files.hpp"
#include "base/pattern.hpp"
#include "base/process.hpp"
#include "rafter/error.hpp"
#include "workbench/draw/render.hpp"
#include "workbench/report/html.hpp"

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

TEST(Page, ShowsCountsOfAnExecutor) {
  json one = rung("chunk", 1024, 0), wrong = rung("broken", 1024, 0);
  one.update({{"device", "simt"},
              {"verified", true},
              {"counts", {{"bytes_moved", 8000.}, {"bytes_asked", 1000.}}},
              {"estimate", {{"gpu", "H200"}, {"ns", 2240.}}}});
  wrong["device"] = "simt";
  const json results{{"machine", {{"cpu", "A"}}}, {"results", {one, wrong}}};
  const Source sources[] = {{"r.json", &results}};
  const std::string html = page("counts", sources);
  for (const char* part : {"the model&#39;s estimates for an H200, no times",
                           "<td>8.00 kB</td><td>8.00x</td><td>12%</td>", "<td>2.24 us</td>", "WRONG: element 3"})
    EXPECT_NE(html.find(part), std::string::npos) << part << "\n" << html;
}

int n_times(const std::string& html, const std::string& part) {
  int n = 0;
  for (std::size_t at = 0; (at = html.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST(Page, DescribesAMachineOnceAndListsItsSections) {
  const json first = example();
  json second = example(), third = example();
  second["time"] = "later";
  third["machine"]["cpu"] = "C";
  const Source sources[] = {{"first.json", &first}, {"third.json", &third}, {"second.json", &second}};
  const std::string html = page("three runs", sources);
  EXPECT_EQ(n_times(html, "<dt>CPU</dt>"), 2) << "two machines";
  EXPECT_EQ(n_times(html, "<nav"), 1);
  for (const char* part : {"href=\"#section-2\">heat (first.json)</a>", "<h2 id=\"section-2\">heat (first.json)</h2>",
                           "<h2 id=\"section-3\">heat (second.json)</h2>", "second.json, later; measured roofs: read",
                           "<h2 id=\"section-5\">heat</h2>"})
    EXPECT_EQ(n_times(html, part), 1) << part;
  EXPECT_EQ(n_times(page("one", {sources, 1}), "<nav"), 0) << "a page about one workload needs no list";
}

TEST(Page, NumbersTheScaleBehindItsBars) { EXPECT_GT(n_times(example_page(), bar_scale), 0); }

TEST(Html, EscapesMarkupInTexts) {
  EXPECT_EQ(escaped("a<b>&\"c\" 2^28 x^-3 ^ y^z"), "a&lt;b&gt;&amp;&quot;c&quot; 2<sup>28</sup> x<sup>-3</sup> ^ y^z");
  EXPECT_EQ(attribute("2^28 \"<"), "2^28 &quot;&lt;");
}

TEST(Html, KeepsTheWordsOfCommandsTogether) {
  EXPECT_EQ(code("a b --grid 'n / 2, 1'  -q --out <b>"),
            "<code><span class=\"word\">a</span> <span class=\"word\">b</span> "
            "<span class=\"word\">--grid &#39;n / 2, 1&#39;</span> <span class=\"word\">-q</span> "
            "<span class=\"word\">--out &lt;b&gt;</span></code>");
  EXPECT_EQ(code(""), "<code></code>");
}

TEST(Page, HasFiguresForLightAndDarkPages) {
  if (draw::why_no_drawing()) GTEST_SKIP() << *draw::why_no_drawing();
  const std::string html = example_page();
  const auto count = [&](const std::string& part) {
    int n = 0;
    for (std::size_t at = 0; (at = html.find(part, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  EXPECT_GT(count("<div class=\"wide light\"><svg"), 0);
  EXPECT_EQ(count("<div class=\"wide light\"><svg"), count("<div class=\"wide dark\"><svg"));
  EXPECT_NE(html.find(".light { display: none; } .dark { display: block; }"), std::string::npos);
}

/// Returns the elements that were opened and not closed, or closed and not opened.
std::string unbalanced(const std::string& html) {
  std::vector<std::string> open;
  const base::Pattern tag("<(/?)([a-z0-9]+)[^>]*>");
  for (const base::Pattern::Match& match : tag.find_all(html)) {
    const std::string& name = match.at(2);
    if (name == "meta" || match.at(0).ends_with("/>")) continue;
    if (match.at(1).empty()) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return "</" + name + ">";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + ">";
}

TEST(Page, IsWellFormedAndSelfContained) {
  const std::string html = example_page();
  EXPECT_EQ(unbalanced(html), "");
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  for (const char* outside : {"http://", "https://", "<script", "<link", "<img", "url(h"})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  EXPECT_LT(html.size(), 2000000u);
}

TEST(Page, ShowsWhatWasMeasured) {
  const std::string html = example_page();
  for (const char* text :
       {"<h1>A &lt;title&gt; of 2<sup>10</sup></h1>", "A &amp; B, 1 thread, v3", "dtype=float32 n=2<sup>10</sup>",
        "125 ns", "8.00x", "2.00x", "title=\"125 ns, 95 %: 123.75 to 127.5\"", "<td>80%</td>",
        "title=\"A loop &lt;of&gt; &quot;its&quot; own.\"", "WRONG: element 3 is &lt;nan&gt;", "<tr class=\"peer\">",
        "<code><span class=\"word\">rafter</span> <span class=\"word\">run</span>", "1024</span></code>"})
    EXPECT_NE(html.find(text), std::string::npos) << text;
  if (draw::why_no_drawing()) GTEST_SKIP() << *draw::why_no_drawing();
  for (const char* part : {"aria-label=\"sweep of heat\"", "aria-label=\"roofline of heat\""})
    EXPECT_NE(html.find(part), std::string::npos) << part;
}

TEST(Page, HasValuesOnHoverInFigures) {
  if (draw::why_no_drawing()) GTEST_SKIP() << *draw::why_no_drawing();
  const std::string html = example_page();
  for (const char* hint :
       {"<title>op, n = 2^12: 500 ns</title>", "<title>floor, n = 2^10: 100 ns</title>",
        "<title>over plain, n = 2^10: 8.00x</title>", "<title>op, dtype=float32 n=2^10: 125 ns, 16.4 TFLOP/s</title>"})
    EXPECT_NE(html.find(hint), std::string::npos) << hint;
}

/// Counts the ids of elements.
std::map<std::string, int> names_in(const std::string& html) {
  std::map<std::string, int> names;
  const base::Pattern name(" id=\"([^\"]*)\"");
  for (const base::Pattern::Match& match : name.find_all(html)) ++names[match.at(1)];
  return names;
}

TEST(Page, HasUniqueIds) {
  const json results = example();
  const Source sources[] = {{"r.json", &results}, {"again.json", &results}};
  const std::string html = page("", sources);
  const auto names = names_in(html);
  for (const auto& [name, n] : names) EXPECT_EQ(n, 1) << name;
  const base::Pattern use("(?:href=\"|url\\()#([^\")]*)");
  for (const base::Pattern::Match& match : use.find_all(html))
    EXPECT_TRUE(names.contains(match.at(1))) << "leads nowhere: " << match.at(1);
}

TEST(Page, ShowsTheStepsOfAJournal) {
  const lab::TemporaryFolder work;
  base::write_file(work.path() / "my.cu", "a < b\n");
  std::vector<journal::Journal> journals{journal::Journal::start(
      work.path(), {.kind = journal::Kind::start, .title = "A <journal>", .target = "4x"}, {work.path() / "my.cu"})};
  const auto add = [&](const char* message, double ns) {
    journals[0].add({.command = "run heat",
                     .machine = "A, 1 thread",
                     .verdict = ns > 0 ? journal::Verdict::right : journal::Verdict::wrong,
                     .message = message,
                     .results = {rung("op", 1024, ns)}});
  };
  add("begins", 1000);
  base::write_file(work.path() / "my.cu", "a << b\n");
  add("shifts", 0);
  add("is right", 250);
  const std::string html = page("A page", {}, journals);
  EXPECT_EQ(unbalanced(html), "");
  for (const char* text :
       {"<h2 id=\"section-1\">A &lt;journal&gt;</h2>", "a journal of 3 steps", "target 4x: reached with step 3",
        "<a href=\"#journal-1-step-2\">2</a>", "WRONG: shifts", "<h3 id=\"journal-1-step-3\">Step 3: is right</h3>",
        "<span class=\"add\">+a &lt;&lt; b</span>", "<strong>What is believed to limit it?</strong>"})
    EXPECT_NE(html.find(text), std::string::npos) << text;
  const journal::Journal twice[] = {journals[0], journals[0]};
  for (const auto& [name, n] : names_in(page("", {}, twice))) EXPECT_EQ(n, 1) << name;
  journals[0].add({.kind = journal::Kind::stop, .message = "Near enough."});
  const std::string ended = page("A <journal>", {}, journals);
  EXPECT_NE(ended.find("<p>Near enough.</p>"), std::string::npos);
  EXPECT_EQ(ended.find("<h2>A &lt;journal&gt;</h2>"), std::string::npos) << "the page has that title";
  if (draw::why_no_drawing()) GTEST_SKIP() << *draw::why_no_drawing();
  EXPECT_NE(html.find("<title>step 3, op: 250 ns, 4.00x over the previous step</title>"), std::string::npos);
}

TEST(Page, LimitsTheSizeOfChangesInAJournal) {
  const lab::TemporaryFolder work;
  const auto write = [&](int round) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "line " + std::to_string(round) + " " + std::to_string(i) + "\n";
    base::write_file(work.path() / "my.cu", text);
  };
  write(0);
  std::vector<journal::Journal> journals{
      journal::Journal::start(work.path(), {.kind = journal::Kind::start}, {work.path() / "my.cu"})};
  for (int round = 1; round <= 6; ++round) {
    write(round);
    journals[0].add({.machine = "A", .results = {rung("op", 1024, 1000. / round)}});
  }
  EXPECT_LT(page("", {}, journals).size(), 600000u);
}

TEST(Page, RejectsOtherFilesByName) {
  for (const json& bad : {json::array(), json::object(), json{{"results", 1}}}) {
    const Source sources[] = {{"bad.json", &bad}};
    try {
      page("", sources);
      ADD_FAILURE() << bad;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("bad.json: not a results file of 'rafter run'"))
          << error.what();
    }
  }
}

TEST(Page, IsShownByABrowserAtAnyWidth) {
  if (!base::run({"sh", "-c", "command -v chromium"}).succeeded()) GTEST_SKIP() << "there is no chromium";
  const lab::TemporaryFolder folder;
  base::write_file(folder.path() / "r.html", example_page());
  for (const char* width : {"400", "900", "1400"}) {
    const base::Outcome shown = base::run_process(
        {.command = {"chromium", "--headless", "--no-sandbox", "--disable-gpu",
                     "--user-data-dir=" + folder.path().string(), std::string("--window-size=") + width + ",1000",
                     "--screenshot=" + (folder.path() / "s.png").string(),
                     "file://" + (folder.path() / "r.html").string()},
         .time_limit_s = 60});
    EXPECT_TRUE(shown.succeeded()) << shown.output;
    const std::string png = base::read_file(folder.path() / "s.png").value_or("");
    EXPECT_GT(png.size(), 10000u) << "an empty page is smaller";
  }
}

}  // namespace
}  // namespace rafter::report

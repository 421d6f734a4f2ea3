#include "workbench/report/html.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string>
#include <vector>

#include "workbench/draw/render.hpp"

namespace rafter::report {

namespace {

constexpr const char* looks = R"(
:root { color-scheme: light dark; --ink: #1f2328; --soft: #656d76; --line: #d0d7de; --page: #ffffff; --card: #f6f8fa;
  --bar: #0072b2; --peer: #9aa5b1; --bad: #b42318; --good: #1a7f37; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --page: #0d1117;
  --card: #161b22; --bar: #4aa3df; --peer: #6e7681; --bad: #ff7b72; --good: #56d364; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 70rem;
  margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); } h3 { margin: 1.5rem 0 .3rem; }
p, li { max-width: 46rem; } .soft { color: var(--soft); } code { font-family: ui-monospace, monospace; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: 600; } th:first-child, td:first-child, .left { text-align: left; }
.share { width: 14rem; min-width: 6rem; padding: .2rem .7rem; background-origin: content-box; background-clip: content-box;
  background-image: repeating-linear-gradient(to right, var(--line) 0 1px, transparent 1px 25%),
  linear-gradient(to left, var(--line) 1px, transparent 1px); } .share div { height: .8rem; background: var(--bar); border-radius: 2px; }
.scale { display: grid; grid-template-columns: 1fr auto 1fr; font-weight: 400; text-align: left; } .scale :last-child { text-align: right; }
.peer .share div { background: var(--peer); }
.bad { color: var(--bad); white-space: normal; } .good { color: var(--good); }
svg { max-width: 100%; min-width: 36rem; height: auto; background: #fff; border-radius: 6px; padding: .5rem; margin: .6rem 0;
  box-sizing: border-box; }
.dark { display: none; } .dark svg { background: var(--card); }
@media (prefers-color-scheme: dark) { .light { display: none; } .dark { display: block; } }
nav li.nested { margin-left: 1.2rem; } nav ul { list-style: none; padding-left: 0; }
.word { display: inline-block; max-width: 100%; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; } dt { color: var(--soft); } dd { margin: 0; }
pre { overflow-x: auto; background: var(--card); padding: .6rem; font: 12px/1.45 ui-monospace, monospace; }
.add { color: var(--good); } .del { color: var(--bad); } .at { color: var(--soft); } summary { cursor: pointer; }
.what { white-space: normal; min-width: 14rem; } a { color: inherit; }
sup { line-height: 0; font-size: .75em; }
@media print { .light { display: block; } .dark { display: none; } body { max-width: none; padding: 0; font-size: 11px; } h2, h3, table, svg { break-inside: avoid; } svg { min-width: 0; }
  h2, h3 { break-after: avoid; } pre { white-space: pre-wrap; }
  details::details-content { content-visibility: visible; block-size: auto; } .share div { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
)";

std::string entity(char c) {
  switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return std::string(1, c);
  }
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string html;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t end = i + 1;
    if (text[i] == '^' && end < text.size() && text[end] == '-') ++end;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    const bool raises = text[i] == '^' && std::isdigit(static_cast<unsigned char>(text[end - 1])) != 0;
    if (!raises) {
      html += entity(text[i]);
      continue;
    }
    html += "<sup>" + std::string(text.substr(i + 1, end - i - 1)) + "</sup>";
    i = end - 1;
  }
  return html;
}

std::string attribute(std::string_view text) {
  std::string html;
  for (const char c : text) html += entity(c);
  return html;
}

std::string code(std::string_view command) {
  std::vector<std::string> parts;
  bool is_quoted = false, is_value = false;  // is_value: the next word belongs to the option before it
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= command.size(); ++i) {
    if (i < command.size() && command[i] == '\'') is_quoted = !is_quoted;
    if (i < command.size() && (is_quoted || command[i] != ' ')) continue;
    const std::string_view word = command.substr(begin, i - begin);
    begin = i + 1;
    if (word.empty()) continue;
    const bool is_option = word.front() == '-';
    if (is_value && !is_option) {
      (parts.back() += ' ') += attribute(word);
    } else {
      parts.push_back(attribute(word));
    }
    is_value = is_option;
  }
  std::string html;
  for (const std::string& part : parts)
    html += (html.empty() ? "" : " ") + ("<span class=\"word\">" + part + "</span>");
  return "<code>" + html + "</code>";
}

std::string page_head(const std::string& title) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         escaped(title) + "</title>\n<style>" + looks + "</style>\n</head>\n";
}

namespace {

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

/// Removes NAME="..." with the space before it.
void drop_attribute(std::string& text, const std::string& name) {
  const std::size_t at = text.find(" " + name + "=\"");
  if (at == std::string::npos) return;
  text.erase(at, text.find('"', at + name.size() + 3) + 1 - at);
}

/// Converts an SVG file to an element of a page: removes namespaces and adds a prefix to every id.
std::string as_element(std::string svg, const std::string& prefix, const std::string& what) {
  svg.erase(0, std::min(svg.find("<svg"), svg.size()));
  drop_attribute(svg, "xmlns");
  drop_attribute(svg, "xmlns:xlink");
  replace_all(svg, "xlink:href", "href");
  replace_all(svg, " id=\"", " id=\"" + prefix);
  replace_all(svg, "href=\"#", "href=\"#" + prefix);
  replace_all(svg, "url(#", "url(#" + prefix);
  return svg.insert(4, fmt::format(" role=\"img\" aria-label=\"{}\"", attribute(what)));
}

}  // namespace

std::string Pictures::add(const draw::Figure& figure, const std::string& what) {
  if (draw::why_no_drawing()) return "";
  std::string html;
  for (const draw::Theme theme : {draw::Theme::light, draw::Theme::dark}) {
    draw::Figure themed = figure;
    themed.theme = theme;
    const std::string element = as_element(draw::render(themed, draw::Format::svg), fmt::format("p{}-", ++n_), what);
    html += fmt::format("<div class=\"wide {}\">{}</div>\n", theme == draw::Theme::dark ? "dark" : "light", element);
  }
  return html;
}

}  // namespace rafter::report

#include "workbench/journal/entry.hpp"

#include <fmt/format.h>

#include <sstream>

#include "rafter/error.hpp"

namespace rafter::journal {

using nlohmann::json;

namespace {

constexpr Kind kinds[] = {Kind::start, Kind::step, Kind::note, Kind::stop};
constexpr Verdict verdicts[] = {Verdict::none, Verdict::right, Verdict::wrong, Verdict::could_not_run};

/// The optional text fields of an entry.
constexpr std::pair<const char*, std::string Entry::*> texts[] = {
    {"command", &Entry::command},       {"machine", &Entry::machine}, {"message", &Entry::message},
    {"prediction", &Entry::prediction}, {"said", &Entry::said},       {"rung", &Entry::rung},
    {"title", &Entry::title},           {"target", &Entry::target},
};

const char* field(const Question& question) { return question.option + 2; }

/// Splits the text into one string per line, to keep the file readable.
json json_lines(const std::string& text) {
  json lines = json::array();
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined_lines(const json& lines) {
  std::string text;
  for (const json& line : lines) text += line.get<std::string>() + "\n";
  return text;
}

Kind kind_called(const std::string& word) {
  for (const Kind kind : kinds) {
    if (word == name(kind)) return kind;
  }
  throw Error(ErrorCode::bad_argument, fmt::format("unknown kind '{}'", word));
}

Entry read_entry(const json& document) {
  Entry entry{.number = document.at("entry"), .kind = kind_called(document.at("kind")), .time = document.at("time")};
  for (const auto& [key, text] : texts) entry.*text = document.value(key, "");
  if (document.contains("verdict")) entry.verdict = verdict_called(document["verdict"]);
  const json answers = document.value("answers", json::object());
  for (const Question& question : questions) entry.answers.*question.answer = answers.value(field(question), "");
  entry.is_busy = document.value("busy", false);
  entry.about = document.value("about", 0);
  for (const json& source : document.value("sources", json::array())) {
    entry.sources.push_back(
        {source.at("name"), source.value("file", ""), source.value("kept", ""), source.value("why_not", "")});
  }
  entry.change = joined_lines(document.value("change", json::array()));
  entry.results = document.value("results", json::array());
  entry.watched = document.value("watched", std::vector<std::string>{});
  return entry;
}

}  // namespace

const char* name(Kind kind) {
  switch (kind) {
    case Kind::start: return "start";
    case Kind::step: return "step";
    case Kind::note: return "note";
    case Kind::stop: return "stop";
  }
  return "";
}

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::none: return "";
    case Verdict::right: return "right";
    case Verdict::wrong: return "wrong";
    case Verdict::could_not_run: return "could not run";
  }
  return "";
}

Verdict verdict_called(const std::string& word) {
  for (const Verdict verdict : verdicts) {
    if (word == name(verdict)) return verdict;
  }
  throw Error(ErrorCode::bad_argument,
              fmt::format("a verdict must be right, wrong or 'could not run', not '{}'", word));
}

json to_json(const Entry& entry) {
  json document{{"format", entry_format}, {"entry", entry.number}, {"kind", name(entry.kind)}, {"time", entry.time}};
  for (const auto& [key, text] : texts) {
    if (!(entry.*text).empty()) document[key] = entry.*text;
  }
  if (entry.verdict != Verdict::none) document["verdict"] = name(entry.verdict);
  for (const Question& question : questions) {
    const std::string& answer = entry.answers.*question.answer;
    if (!answer.empty()) document["answers"][field(question)] = answer;
  }
  if (entry.is_busy) document["busy"] = true;
  if (entry.about > 0) document["about"] = entry.about;
  for (const KeptSource& source : entry.sources) {
    json one{{"name", source.name}, {"file", source.file}};
    if (!source.kept.empty()) one["kept"] = source.kept;
    if (!source.why_not.empty()) one["why_not"] = source.why_not;
    document["sources"].push_back(one);
  }
  if (!entry.change.empty()) document["change"] = json_lines(entry.change);
  if (!entry.results.empty()) document["results"] = entry.results;
  if (!entry.watched.empty()) document["watched"] = entry.watched;
  return document;
}

Entry entry_of(const json& document, const std::string& file) {
  try {
    if (const int format = document.at("format"); format > entry_format)
      throw Error(ErrorCode::bad_argument,
                  fmt::format("it has format {} of a newer rafter; this version reads up to {}", format, entry_format));
    return read_entry(document);
  } catch (const json::exception& error) {
    throw Error(ErrorCode::bad_argument, fmt::format("'{}' is not a journal entry: {}", file, error.what()));
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("'{}' cannot be read: {}", file, error.what()));
  }
}

}  // namespace rafter::journal

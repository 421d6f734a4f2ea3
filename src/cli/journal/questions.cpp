#include "cli/journal/questions.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace rafter::cli {

bool may_ask() {
  const char* word = std::getenv("RAFTER_JOURNAL");
  const bool is_quiet = word != nullptr && std::string_view(word) == "quiet";
  return !is_quiet && isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
}

std::string ask_for(const std::string& question) {
  std::fprintf(stderr, "%s ", question.c_str());
  std::fflush(stderr);
  std::string line;
  if (!std::getline(std::cin, line)) std::fputs("\n", stderr);
  return line;
}

bool ask(journal::Entry& note, const journal::Answers& known, bool for_message) {
  bool any = false;
  if (for_message) {
    note.message = ask_for("What did you change, and why? (Enter: say nothing)");
    any = !note.message.empty();
    if (!any) return false;
  }
  for (const journal::Question& question : journal::questions) {
    if (!(known.*question.answer).empty()) continue;
    std::string& answer = note.answers.*question.answer;
    answer = ask_for(question.words);
    if (answer.empty() && !any) return false;
    any = any || !answer.empty();
    if (!std::cin) break;
  }
  return any;
}

}  // namespace rafter::cli

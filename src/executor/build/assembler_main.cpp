// The assembler that g++ calls in a checked build. It adds padding after thread-local objects, which is how __shared__
// variables are declared, and passes the text to the real assembler.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "executor/build/redzones.hpp"

namespace {

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "as (rafter): %s: %s\n", what.c_str(), std::strerror(errno));
  std::exit(1);
}

/// Returns the first `as` on the PATH that is not this program.
std::string real_assembler() {
  struct stat self {
  }, other{};
  if (stat("/proc/self/exe", &self) != 0) fail("/proc/self/exe");
  const char* path = std::getenv("PATH");
  std::string rest = path != nullptr && *path != '\0' ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= rest.size();) {
    const std::size_t end = std::min(rest.find(':', begin), rest.size());
    const std::string candidate = (end > begin ? rest.substr(begin, end - begin) : std::string(".")) + "/as";
    begin = end + 1;
    if (access(candidate.c_str(), X_OK) != 0 || stat(candidate.c_str(), &other) != 0) continue;
    if (other.st_ino != self.st_ino || other.st_dev != self.st_dev) return candidate;
  }
  errno = ENOENT;
  fail("no assembler on the PATH");
}

bool takes_value(const std::string& option) {
  return option == "-o" || option == "-I" || option == "--defsym" || option == "-MD" || option == "--MD";
}

/// Makes standard input read the text, through an unnamed file.
void make_input(const std::string& text) {
  std::FILE* file = std::tmpfile();
  if (file == nullptr || std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0 ||
      lseek(fileno(file), 0, SEEK_SET) != 0 || dup2(fileno(file), STDIN_FILENO) < 0)
    fail("cannot write a temporary file");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments{real_assembler()};
  std::string input;
  bool only_asks = false;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--version" || argument == "-version" || argument == "--help") only_asks = true;
    if (argument == "--" || argument == "-") continue;
    if (argument.starts_with("-") || argument.starts_with("@")) {
      arguments.push_back(argument);
      if (takes_value(argument) && i + 1 < argc) arguments.emplace_back(argv[++i]);
    } else {
      input = argument;
    }
  }
  if (!only_asks) {
    std::string text;
    if (input.empty()) {
      text.assign(std::istreambuf_iterator<char>(std::cin), {});
    } else {
      std::ifstream file(input, std::ios::binary);
      if (!file) fail(input);
      text.assign(std::istreambuf_iterator<char>(file), {});
    }
    make_input(rafter::simt::build::add_redzones(text));
  }
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  execv(pointers[0], pointers.data());
  fail(arguments[0]);
}

#include "cli/tool.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <ios>
#include <iostream>
#include <new>
#include <stdexcept>
#include <system_error>

#include "base/stop_signals.hpp"

namespace rafter::cli {

namespace {

namespace fs = std::filesystem;

std::string file_message(const fs::filesystem_error& error) {
  std::error_code code;
  if (fs::current_path(code).empty())
    return "the current folder was removed or is not accessible: change to another one";
  if (error.path1().empty()) return fmt::format("a file cannot be used: {}", error.code().message());
  const std::string other = error.path2().empty() ? "" : fmt::format(" with '{}'", error.path2().string());
  return fmt::format("cannot use '{}'{}: {}", error.path1().string(), other, error.code().message());
}

std::string system_message(const std::system_error& error) {
  if (error.code() == std::errc::resource_unavailable_try_again)
    return "the system has no more threads or processes: end some, or raise the limit (ulimit -u)";
  return fmt::format("the system refused: {}", error.code().message());
}

std::string bug_message(const std::string& what) {
  return fmt::format("this is a bug in rafter ({}); please report it with the command you typed", what);
}

int report_stop() {
  std::fputs("rafter: stopped by a signal\n", stderr);
  return exit_stopped;
}

/// Never throws, even without a standard error or memory for a message.
void print_error(const std::exception_ptr& thrown) noexcept {
  try {
    std::fprintf(stderr, "rafter: %s\n", error_message(thrown).c_str());
  } catch (...) {
    std::fputs("rafter: out of memory\n", stderr);
  }
}

}  // namespace

std::string error_message(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return error.what();
  } catch (const fs::filesystem_error& error) {
    return file_message(error);
  } catch (const std::ios_base::failure& error) {
    return fmt::format("a file cannot be read or written: {}", error.code().message());
  } catch (const std::system_error& error) {
    return system_message(error);
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::length_error&) {  // of a container
    return "out of memory: the size exceeds any memory";
  } catch (const std::exception& error) {
    return bug_message(error.what());
  } catch (...) {
    return bug_message("an exception of unknown type");
  }
}

int guarded(const std::function<int()>& work) {
  try {
    const int code = work();
    std::cout.flush();
    if (std::fflush(stdout) != 0 || !std::cout) throw Error(ErrorCode::io, "cannot write to the standard output");
    return code;
  } catch (const base::Stopped&) {
    return report_stop();
  } catch (...) {
    if (base::StopSignals::arrived()) return report_stop();  // such as a write to a closed pipe
    print_error(std::current_exception());
  }
  return exit_failed;
}

int tool(int argc, char** argv, const Perform& perform) {
  return guarded([&] {
    const Command command = parse(argc, argv);
    const auto* finished = std::get_if<Finished>(&command);
    return finished != nullptr ? finished->exit_code : perform(command);
  });
}

}  // namespace rafter::cli

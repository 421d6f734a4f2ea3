#include "cli/complaint.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ios>
#include <new>
#include <stdexcept>
#include <system_error>

#include "rafter/error.hpp"

namespace rafter::cli {

namespace {

namespace fs = std::filesystem;

std::string about_files(const fs::filesystem_error& error) {
  std::error_code code;
  if (fs::current_path(code).empty()) return "the folder you are in is gone or closed to you: change to another one";
  if (error.path1().empty()) return fmt::format("a file cannot be used: {}", error.code().message());
  const std::string other = error.path2().empty() ? "" : fmt::format(" with '{}'", error.path2().string());
  return fmt::format("cannot use '{}'{}: {}", error.path1().string(), other, error.code().message());
}

std::string about_system(const std::system_error& error) {
  if (error.code() == std::errc::resource_unavailable_try_again)
    return "the system gives out no more threads or processes: end some, or raise the limit (ulimit -u)";
  return fmt::format("the system refused: {}", error.code().message());
}

std::string about_tool(const std::string& what) {
  return fmt::format("this is a fault of rafter, not of yours ({}); please report it with the command you typed", what);
}

}  // namespace

std::string complaint(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return error.what();
  } catch (const fs::filesystem_error& error) {
    return about_files(error);
  } catch (const std::ios_base::failure& error) {
    return fmt::format("a file cannot be read or written: {}", error.code().message());
  } catch (const std::system_error& error) {
    return about_system(error);
  } catch (const std::bad_alloc&) {
    return "out of memory: there is not enough for what was asked for";
  } catch (const std::length_error&) {  // of a container
    return "out of memory: something larger than any memory was asked for";
  } catch (const std::exception& error) {
    return about_tool(error.what());
  } catch (...) {
    return about_tool("an exception of no known kind");
  }
}

}  // namespace rafter::cli

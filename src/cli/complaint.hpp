// What an exception that nobody caught says to who typed the command.
#pragma once

#include <exception>
#include <string>

namespace rafter::cli {

/// A sentence for every class of fault: ours say it themselves, the standard library's are about files, memory or
/// threads; what is left is a fault of the tool.
std::string complaint(const std::exception_ptr& thrown);

}  // namespace rafter::cli

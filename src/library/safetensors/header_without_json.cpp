// In place of header.cpp in a library that was built without nlohmann-json.
#include "library/safetensors/header.hpp"
#include "rafter/error.hpp"

namespace rafter::safetensors {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::unsupported, what +
                                          ": this library was built without nlohmann-json, which safetensors files "
                                          "need; install it (nlohmann-json3-dev) and build again");
}

}  // namespace

Header parse_header(std::string_view, const std::string& file) { refuse("cannot read '" + file + "'"); }

std::string header_text(const Header&) { refuse("cannot write a safetensors file"); }

}  // namespace rafter::safetensors

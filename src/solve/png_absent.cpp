// A build without libpng.
#include "rafter/error.hpp"
#include "solve/image.hpp"

namespace rafter::solve {

std::optional<std::string> why_no_png() { return "this build has no libpng: install libpng-dev and build again"; }

std::string png_of(const Image&) { throw Error(ErrorCode::unsupported, *why_no_png()); }

}  // namespace rafter::solve

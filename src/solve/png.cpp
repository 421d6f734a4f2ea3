#include <png.h>

#include <csetjmp>

#include "rafter/error.hpp"
#include "solve/image.hpp"

namespace rafter::solve {

std::optional<std::string> why_no_png() { return std::nullopt; }

namespace {

void append(png_structp png, png_bytep bytes, std::size_t n) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(bytes), n);
}

// libpng leaves by longjmp: nothing with a destructor is made here.
bool encode(png_structp png, png_infop info, const Image& image, std::string& file) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_write_fn(png, &file, append, nullptr);
  png_set_IHDR(png, info, static_cast<png_uint_32>(image.width()), static_cast<png_uint_32>(image.height()), 8,
               PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(png, info);
  for (int y = 0; y < image.height(); ++y) png_write_row(png, image.row(y));
  png_write_end(png, info);
  return true;
}

}  // namespace

std::string png_of(const Image& image) {
  std::string file;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  const bool good = info != nullptr && encode(png, info, image, file);
  png_destroy_write_struct(&png, &info);
  if (!good) throw Error(ErrorCode::io, "libpng cannot write the picture");
  return file;
}

}  // namespace rafter::solve

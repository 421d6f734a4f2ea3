// A toolchain for tests: headers and a runtime that run launches as plain loops, in a folder of the test.
#pragma once

#include "compile.hpp"
#include "executor/build/program.hpp"

namespace rafter::simt::build::test {

inline Toolchain make_toolchain(const std::filesystem::path& folder) {
  base::write_file(folder / "shim/rafter_simt/all.hpp", "#pragma once\n#include <cuda_runtime.h>\n");
  base::write_file(folder / "shim/cuda_runtime.h",
                   std::string("#pragma once\n") + stand_in +
                       "extern \"C\" inline void rafter_simt_reaches_end() {}\n"
                       "extern \"C\" inline void rafter_simt_departs(int, int, int, const char*) {}\n");
  base::write_file(folder / "shim/cuda.h", "#pragma once\n");
  base::write_file(folder / "runtime.cpp", R"(
extern "C" {
#define HOOK(n) void __tsan_read##n(void*) {} void __tsan_write##n(void*) {} \
  void __tsan_volatile_read##n(void*) {} void __tsan_volatile_write##n(void*) {} \
  void __tsan_unaligned_read##n(void*) {} void __tsan_unaligned_write##n(void*) {}
HOOK(1) HOOK(2) HOOK(4) HOOK(8) HOOK(16)
void* malloc(unsigned long); void free(void*);
void* __wrap_malloc(unsigned long n) { return malloc(n); } void __wrap_free(void* p) { free(p); }
void* __wrap__Znwm(unsigned long n) { return malloc(n); } void* __wrap__Znam(unsigned long n) { return malloc(n); }
void __wrap__ZdlPv(void* p) { free(p); } void __wrap__ZdaPv(void* p) { free(p); }
void __wrap__ZdlPvm(void* p, unsigned long) { free(p); } void __wrap__ZdaPvm(void* p, unsigned long) { free(p); }
int vprintf(const char*, __builtin_va_list); int puts(const char*); int putchar(int);
int __wrap_printf(const char* f, ...) {
  __builtin_va_list a; __builtin_va_start(a, f); int n = vprintf(f, a); __builtin_va_end(a); return n;
}
int __wrap___printf_chk(int, const char* f, ...) {
  __builtin_va_list a; __builtin_va_start(a, f); int n = vprintf(f, a); __builtin_va_end(a); return n;
}
int __wrap_puts(const char* t) { return puts(t); } int __wrap_putchar(int c) { return putchar(c); }
void __tsan_init() {} void __tsan_func_entry(void*) {} void __tsan_func_exit() {}
void __tsan_read_range(void*, long) {} void __tsan_write_range(void*, long) {}
void __tsan_vptr_update(void*, void*) {} void __tsan_vptr_read(void*) {}
int __tsan_atomic8_load(const char* p, int) { return *p; }
int __tsan_atomic32_fetch_add(int* p, int v, int) { return __sync_fetch_and_add(p, v); }
}
)");
  const Run run =
      shell("g++ -w -shared -fPIC -o " + (folder / "libruntime.so").string() + " " + (folder / "runtime.cpp").string());
  if (run.status != 0) throw std::runtime_error(run.output);
  return {folder / "shim", folder / "libruntime.so", RAFTER_SIMT_TOOLS, "g++"};
}

}  // namespace rafter::simt::build::test

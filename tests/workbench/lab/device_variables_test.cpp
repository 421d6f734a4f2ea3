// Variables are found in cubins, which only nvcc makes.
#include "workbench/lab/machine/device_variables.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/cuda_toolkit.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "expect_error.hpp"
#include "temporary_folder.hpp"

namespace rafter::lab {
namespace {

TEST(DeviceVariables, AreFoundInASharedObject) {
  const auto nvcc = base::find_cuda_program("nvcc");
  if (nvcc.empty()) GTEST_SKIP() << "no nvcc";
  const TemporaryFolder folder;
  const auto source = folder.path() / "k.cu", object = folder.path() / "k.so";
  base::write_file(source,
                   "__device__ int counter;\n"
                   "namespace hidden { static __device__ float kept[100] = {1}; }\n"
                   "__constant__ float filter[3] = {1, 2, 3};\n"
                   "__global__ void k(float* out, int n) {\n"
                   "  static __device__ int calls = 5;\n"
                   "  __shared__ float tile[32];\n"
                   "  tile[threadIdx.x] = filter[threadIdx.x % 3];\n"
                   "  __syncthreads();\n"
                   "  if (threadIdx.x == 0) ++counter, ++calls;\n"
                   "  out[threadIdx.x] = tile[n - threadIdx.x] + hidden::kept[threadIdx.x]++;\n"
                   "}\n");
  const base::Outcome built =
      base::run_process({.command = {nvcc.string(), "-shared", "-Xcompiler", "-fPIC", "-lineinfo", "-no-compress",
                                     "-arch=sm_90", "-o", object.string(), source.string()}});
  ASSERT_TRUE(built.succeeded()) << built.output;
  std::string names;
  for (const DeviceVariable& variable : device_variables(object)) names += variable.name + "; ";
  EXPECT_NE(names.find("counter; "), std::string::npos) << names;
  EXPECT_NE(names.find("hidden::kept; "), std::string::npos) << names;
  EXPECT_NE(names.find("filter; "), std::string::npos) << names;
  EXPECT_NE(names.find("calls; "), std::string::npos) << names;
  EXPECT_EQ(names.find("tile"), std::string::npos) << names;
}

TEST(DeviceVariables, DamagedCubinIsRefused) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "k.so";
  std::string header(64, '\0');
  header.replace(0, 4, "\177ELF");
  header[18] = static_cast<char>(190);
  header[0x28] = 100;  // sections beyond the end
  header[0x3c] = 1;
  base::write_file(file, "text" + header);
  expect_error(ErrorCode::io, "ends too early", [&] { device_variables(file); });
  base::write_file(file, "no cubin");
  EXPECT_TRUE(device_variables(file).empty());
}

}  // namespace
}  // namespace rafter::lab

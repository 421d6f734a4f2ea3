// Runs one kernel of kernels.cl once on 1M elements, checks the result and prints the time from launch to completion:
// three_kernels_opencl kernels.cl block_reduction
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <fstream>
#include <iterator>

#include "expected.hpp"

namespace {

void check(cl_int error, const char* what) {
  if (error != CL_SUCCESS) bench::fail(what, error);
}

struct Shape {
  cl_uint n_dimensions;
  std::size_t global[2], local[2];
};

Shape shape_of(const std::string& kernel) {
  if (kernel == "block_reduction") return {1, {bench::n_elements, 1}, {bench::block, 1}};
  if (kernel == "tiled_transpose") return {2, {bench::n, bench::n / 4}, {32, 8}};
  return {2, {bench::n, bench::n}, {16, 16}};
}

cl_program build(cl_context context, cl_device_id device, const char* file) {
  std::ifstream input(file);
  const std::string source{std::istreambuf_iterator<char>(input), {}};
  const char* text = source.c_str();
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  check(error, "clCreateProgramWithSource");
  error = clBuildProgram(program, 1, &device, "", nullptr, nullptr);
  if (error != CL_SUCCESS) {
    std::string log(1 << 16, '\0');
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    std::fprintf(stderr, "%s\n", log.c_str());
  }
  check(error, "clBuildProgram");
  return program;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) bench::fail("expected kernels.cl and a kernel; it", 2);
  const std::string kernel_name = argv[2];
  const std::vector<float> in = bench::make_input(), wanted = bench::expected(kernel_name, in);
  std::vector<float> out(wanted.size());
  const std::size_t in_bytes = sizeof(float) * in.size(), out_bytes = sizeof(float) * out.size();

  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  check(error, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  cl_kernel kernel = clCreateKernel(build(context, device, argv[1]), kernel_name.c_str(), &error);
  check(error, "clCreateKernel");
  cl_mem d_in = clCreateBuffer(context, CL_MEM_READ_ONLY, in_bytes, nullptr, &error);
  check(error, "clCreateBuffer");
  cl_mem d_out = clCreateBuffer(context, CL_MEM_READ_WRITE, out_bytes, nullptr, &error);
  check(error, "clCreateBuffer");
  check(clEnqueueWriteBuffer(queue, d_in, CL_TRUE, 0, in_bytes, in.data(), 0, nullptr, nullptr), "writing");
  check(clSetKernelArg(kernel, 0, sizeof d_in, &d_in), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof d_out, &d_out), "clSetKernelArg");
  const cl_int n = bench::n;
  if (kernel_name != "block_reduction") check(clSetKernelArg(kernel, 2, sizeof n, &n), "clSetKernelArg");

  const Shape shape = shape_of(kernel_name);
  const auto start = bench::Clock::now();
  check(clEnqueueNDRangeKernel(queue, kernel, shape.n_dimensions, nullptr, shape.global, shape.local, 0, nullptr,
                               nullptr),
        "the launch");
  check(clFinish(queue), "clFinish");
  const double seconds = bench::seconds_since(start);

  check(clEnqueueReadBuffer(queue, d_out, CL_TRUE, 0, out_bytes, out.data(), 0, nullptr, nullptr), "reading");
  return bench::report(seconds, out, wanted);
}

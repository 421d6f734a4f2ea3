// Runs the kernels of loops.cl on POCL, like loops.cu: loops_opencl loops.cl
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "loops.hpp"

using namespace bench;

namespace {

cl_context context;
cl_command_queue queue;
cl_program program;

void check(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return;
  std::fprintf(stderr, "%s failed with %d\n", what, error);
  std::exit(1);
}

template <class T>
cl_mem buffer(const std::vector<T>& values) {
  cl_int error;
  const std::size_t bytes = sizeof(T) * values.size();
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &error);
  check(error, "clCreateBuffer");
  check(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, bytes, values.data(), 0, nullptr, nullptr), "writing");
  return memory;
}

struct Shape {
  cl_uint n_dimensions;
  std::size_t global[2], local[2];
};

/// Measures a kernel. `filled` is copied to `d_out` first and receives the output, which is summed.
template <class T, class... Arguments>
void measure(const char* name, Shape shape, std::vector<T> filled, cl_mem d_out, const Arguments&... arguments) {
  const std::size_t bytes = sizeof(T) * filled.size();
  check(clEnqueueWriteBuffer(queue, d_out, CL_TRUE, 0, bytes, filled.data(), 0, nullptr, nullptr), "writing");
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  check(error, "clCreateKernel");
  cl_uint index = 0;
  (check(clSetKernelArg(kernel, index++, sizeof arguments, &arguments), "clSetKernelArg"), ...);
  best(name, [&] {
    check(clEnqueueNDRangeKernel(queue, kernel, shape.n_dimensions, nullptr, shape.global, shape.local, 0, nullptr,
                                 nullptr),
          "the launch");
    check(clFinish(queue), "clFinish");
  });
  check(clEnqueueReadBuffer(queue, d_out, CL_TRUE, 0, bytes, filled.data(), 0, nullptr, nullptr), "reading");
  print_sum(filled);
}

cl_platform_id pocl() {
  cl_platform_id platforms[8];
  cl_uint n = 0;
  check(clGetPlatformIDs(8, platforms, &n), "clGetPlatformIDs");
  for (cl_uint i = 0; i < n && i < 8; ++i) {
    char name[256] = "";
    clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, nullptr);
    if (std::string(name).find("Portable Computing Language") != std::string::npos) return platforms[i];
  }
  std::fprintf(stderr, "POCL is missing\n");
  std::exit(1);
}

void set_up(const char* file) {
  const cl_platform_id platform = pocl();
  cl_device_id device;
  cl_int error;
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  check(error, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  std::ifstream input(file);
  const std::string source{std::istreambuf_iterator<char>(input), {}};
  const char* text = source.c_str();
  program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
}

}  // namespace

int main(int argc, char** argv) {
  set_up(argc > 1 ? argv[1] : "loops.cl");
  const Inputs in;
  cl_mem a = buffer(in.a), b = buffer(in.b), c = buffer(in.c), out = buffer(in.a), put = buffer(in.c);
  const cl_int n = n_elements, n_side = side, n_all = n_bodies, n_image = image;
  const cl_float three = 3, r = rate, v = volatility;
  const Shape line{1, {n_elements, 1}, {256, 1}}, square{2, {side, side}, {32, 8}};
  measure("multiply_add", line, in.a, out, a, b, three, out, n);
  measure("stencil", square, in.a, out, a, out, n_side);
  measure("black_scholes", line, in.a, out, a, b, c, out, put, r, v, n);
  measure("nbody", Shape{1, {n_bodies, 1}, {128, 1}}, std::vector<float>(4 * n_bodies), out, a, out, n_all);
  measure("mandelbrot", Shape{2, {image, image}, {32, 8}}, std::vector<int>(image * image), out, out, n_image);
}

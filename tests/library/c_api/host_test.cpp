// Streams, buffers and callbacks of the host program; errors per thread.
#include <atomic>
#include <new>
#include <stdexcept>
#include <thread>

#include "c_tensors.hpp"

namespace rafter::c_api {
namespace {

TEST(CApi, VersionIsTheHeaders) {
  EXPECT_EQ(rafter_abi_version(), static_cast<std::uint32_t>(RAFTER_ABI_VERSION));
  EXPECT_NE(std::string(rafter_version()), "");
  EXPECT_STREQ(rafter_status_name(RAFTER_BAD_ARGUMENT), "bad argument");
  EXPECT_STREQ(rafter_status_name(-5), "unknown status");
}

TEST(CApi, ErrorsAreThoseOfTheThread) {
  EXPECT_EQ(rafter_stream_cpu(-1, nullptr), RAFTER_BAD_ARGUMENT);
  const std::string here = last_message();
  EXPECT_NE(here, "");
  std::thread([&] {
    EXPECT_STREQ(rafter_last_error()->message, "");
    EXPECT_EQ(rafter_last_error()->status, RAFTER_OK);
    EXPECT_EQ(rafter_stream_synchronize(nullptr), RAFTER_BAD_ARGUMENT);
    EXPECT_EQ(last_message(), "rafter_stream_synchronize: stream is null");
  }).join();
  EXPECT_EQ(last_message(), here);
  const StreamHandle stream = cpu_stream();
  EXPECT_EQ(last_message(), here) << "a success must not change it";
}

TEST(CApi, LongMessagesAreCut) {
  rafter_spectral* model = nullptr;
  const StreamHandle stream = cpu_stream();
  EXPECT_NE(rafter_spectral_load(stream.get(), std::string(5000, 'x').c_str(), 0, &model), RAFTER_OK);
  EXPECT_EQ(last_message().size(), 1023U);
}

TEST(CApi, StreamsCheckTheirArguments) {
  rafter_stream* stream = nullptr;
  EXPECT_EQ(rafter_stream_cpu(-1, &stream), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(stream, nullptr);
  EXPECT_EQ(last_argument(), "n_threads");
  EXPECT_EQ(rafter_device_available(RAFTER_DEVICE_CPU), RAFTER_OK);
  EXPECT_EQ(rafter_device_available(RAFTER_DEVICE_CUDA_HOST), RAFTER_BAD_ARGUMENT);
  if (rafter_device_available(RAFTER_DEVICE_CUDA) != RAFTER_OK) {
    EXPECT_EQ(rafter_last_error()->status, RAFTER_UNSUPPORTED);
    EXPECT_NE(rafter_stream_new_cuda(-1, &stream), RAFTER_OK);
    EXPECT_NE(rafter_stream_cuda(nullptr, 0, &stream), RAFTER_OK);
    EXPECT_EQ(stream, nullptr);
  }
  const StreamHandle cpu = cpu_stream();
  void* handle = &stream;
  EXPECT_EQ(rafter_stream_handle(cpu.get(), &handle), RAFTER_OK);
  EXPECT_EQ(handle, nullptr);
  EXPECT_EQ(rafter_stream_handle(cpu.get(), nullptr), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(rafter_stream_device(cpu.get(), nullptr), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(rafter_stream_synchronize(cpu.get()), RAFTER_OK);
  EXPECT_EQ(rafter_stream_reserve(cpu.get(), 100), RAFTER_OK);
  EXPECT_EQ(rafter_stream_reserve(cpu.get(), -2), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(rafter_stream_release(cpu.get()), RAFTER_OK);
  rafter_stream_destroy(nullptr);
}

TEST(CApi, BuffersRefuseCopiesBeyondTheirEnd) {
  const StreamHandle stream = cpu_stream();
  rafter_buffer* buffer = nullptr;
  ASSERT_EQ(rafter_buffer_create(stream.get(), 8, &buffer), RAFTER_OK);
  const char in[] = "abcdefgh";
  char out[4] = {};
  ASSERT_EQ(rafter_buffer_write(buffer, 0, in, 8), RAFTER_OK);
  ASSERT_EQ(rafter_buffer_read(buffer, 5, out, 3), RAFTER_OK);
  EXPECT_STREQ(out, "fgh");
  for (const auto& [offset, bytes] :
       {std::pair<std::int64_t, std::int64_t>{6, 3}, {-1, 1}, {0, -1}, {9, 0}, {1, INT64_MAX}, {INT64_MAX, 8}})
    EXPECT_EQ(rafter_buffer_read(buffer, offset, out, bytes), RAFTER_BAD_ARGUMENT) << offset << ", " << bytes;
  EXPECT_EQ(rafter_buffer_write(buffer, 0, nullptr, 1), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(rafter_buffer_write(nullptr, 0, in, 1), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(rafter_buffer_read(buffer, 8, nullptr, 0), RAFTER_OK);
  rafter_buffer_destroy(buffer);
  EXPECT_EQ(rafter_buffer_create(stream.get(), -1, &buffer), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(buffer, nullptr);
  EXPECT_EQ(rafter_buffer_data(nullptr), nullptr);
}

/// A memory resource that counts its calls.
struct Memory {
  std::atomic<int> n_allocated{0}, n_freed{0}, n_released{0};
  enum { works, returns_null, throws, throws_an_int } behaviour = works;

  rafter_memory_resource callbacks() {
    rafter_memory_resource resource{};
    resource.struct_size = sizeof resource;
    resource.context = this;
    resource.allocate = [](void* context, std::int64_t bytes, void*) -> void* {
      auto& memory = *static_cast<Memory*>(context);
      if (memory.behaviour == returns_null) return nullptr;
      if (memory.behaviour == throws) throw std::runtime_error("no memory today");
      if (memory.behaviour == throws_an_int) throw 5;
      ++memory.n_allocated;
      return ::operator new(static_cast<std::size_t>(bytes), std::align_val_t(256));
    };
    resource.deallocate = [](void* context, void* memory, std::int64_t, void*) {
      ++static_cast<Memory*>(context)->n_freed;
      ::operator delete(memory, std::align_val_t(256));
    };
    resource.release = [](void* context) { ++static_cast<Memory*>(context)->n_released; };
    return resource;
  }
};

TEST(CApi, ScratchComesFromTheHostsMemory) {
  Memory memory;
  const rafter_memory_resource resource = memory.callbacks();
  ASSERT_EQ(rafter_set_memory_resource(RAFTER_DEVICE_CPU, &resource), RAFTER_OK) << last_message();
  {
    const StreamHandle stream = cpu_stream();
    EXPECT_EQ(rafter_stream_reserve(stream.get(), 1000), RAFTER_OK);
    EXPECT_GT(memory.n_allocated, 0);
    ASSERT_EQ(rafter_set_memory_resource(RAFTER_DEVICE_CPU, nullptr), RAFTER_OK);
    EXPECT_EQ(memory.n_released, 0) << "it has scratch to free";
  }
  EXPECT_EQ(memory.n_freed, memory.n_allocated);
  EXPECT_EQ(memory.n_released, 1);
}

TEST(CApi, FailuresOfTheHostsMemoryAreReported) {
  Memory memory;
  const rafter_memory_resource resource = memory.callbacks();
  ASSERT_EQ(rafter_set_memory_resource(RAFTER_DEVICE_CPU, &resource), RAFTER_OK);
  const StreamHandle stream = cpu_stream();
  memory.behaviour = Memory::returns_null;
  EXPECT_EQ(rafter_stream_reserve(stream.get(), 1000), RAFTER_OUT_OF_MEMORY);
  memory.behaviour = Memory::throws;
  EXPECT_EQ(rafter_stream_reserve(stream.get(), 1000), RAFTER_INTERNAL);
  EXPECT_EQ(last_message(), "rafter_stream_reserve: no memory today");
  memory.behaviour = Memory::throws_an_int;
  EXPECT_EQ(rafter_stream_reserve(stream.get(), 1000), RAFTER_INTERNAL);
  memory.behaviour = Memory::works;
  EXPECT_EQ(rafter_stream_reserve(stream.get(), 1000), RAFTER_OK);
  rafter_set_memory_resource(RAFTER_DEVICE_CPU, nullptr);
}

TEST(CApi, IncompleteCallbacksAreRefusedAndNotReleased) {
  Memory memory;
  rafter_memory_resource resource = memory.callbacks();
  resource.deallocate = nullptr;
  EXPECT_EQ(rafter_set_memory_resource(RAFTER_DEVICE_CPU, &resource), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "resource.deallocate");
  resource = memory.callbacks();
  EXPECT_EQ(rafter_set_memory_resource(55, &resource), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(memory.n_released, 0);
  rafter_thread_pool pool{};
  pool.struct_size = sizeof pool;
  pool.n_threads = 1;
  EXPECT_EQ(rafter_set_thread_pool(&pool), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "pool.run");
}

class HostPoolOfC : public testing::Test {
 protected:
  ~HostPoolOfC() override { rafter_set_thread_pool(nullptr); }

  /// Sums enough numbers to need several threads.
  static rafter_status sum(double* total) {
    const StreamHandle stream = cpu_stream(4);
    const Owned in = tensor<double>(std::vector<double>(500'000, 1.)), out = zeros<double>({1});
    const rafter_status status = rafter_sum(stream.get(), in.get(), out.get());
    *total = out.values<double>()[0];
    return status;
  }
};

TEST_F(HostPoolOfC, RunsTheOps) {
  static int n_runs, n_released;
  n_runs = n_released = 0;
  rafter_thread_pool pool{};
  pool.struct_size = sizeof pool;
  pool.n_threads = 4;
  pool.run = [](void*, std::int32_t n, rafter_task task, void* task_context) -> rafter_status {
    ++n_runs;
    for (std::int32_t i = n; i-- > 0;) task(task_context, i);
    return RAFTER_OK;
  };
  pool.release = [](void*) { ++n_released; };
  ASSERT_EQ(rafter_set_thread_pool(&pool), RAFTER_OK);
  double total = 0;
  EXPECT_EQ(sum(&total), RAFTER_OK);
  EXPECT_EQ(total, 500'000);
  EXPECT_GT(n_runs, 0);
  rafter_set_thread_pool(nullptr);
  EXPECT_EQ(n_released, 1);
}

TEST_F(HostPoolOfC, FailuresAreReported) {
  rafter_thread_pool pool{};
  pool.struct_size = sizeof pool;
  pool.n_threads = 4;
  pool.run = [](void*, std::int32_t, rafter_task, void*) -> rafter_status { return RAFTER_INTERNAL; };
  ASSERT_EQ(rafter_set_thread_pool(&pool), RAFTER_OK);
  double total = 0;
  EXPECT_EQ(sum(&total), RAFTER_INTERNAL);
  pool.run = [](void*, std::int32_t, rafter_task, void*) -> rafter_status { throw std::runtime_error("closed"); };
  ASSERT_EQ(rafter_set_thread_pool(&pool), RAFTER_OK);
  EXPECT_EQ(sum(&total), RAFTER_INTERNAL);
  EXPECT_EQ(last_message(), "rafter_sum: closed");
}

}  // namespace
}  // namespace rafter::c_api

// The switch between stacks: the state that must be unchanged when the code that switched away continues.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "executor/engine/fiber.hpp"

namespace rafter::simt {
namespace {

/// Code with its own stack. It runs when it is resumed, until it pauses or ends.
class Strand {
 public:
  explicit Strand(std::function<void()> body, std::size_t unaligned_bytes = 0)
      : body_(std::move(body)), context_(new_context(stack_.get() + stack_bytes - unaligned_bytes, &Strand::main)) {}

  void resume() {
    Strand* outer = std::exchange(running_, this);
    switch_context(outside_, context_, nullptr);
    running_ = outer;
  }
  static void pause() { switch_context(running_->context_, running_->outside_, nullptr); }
  /// Like pause(), but opaque to the compiler: an ordinary call, which must preserve the callee-saved registers.
  __attribute__((noinline)) static void call_pause() { pause(); }
  bool has_ended() const { return has_ended_; }
  bool holds(const void* address) const {
    const auto offset = static_cast<const std::byte*>(address) - stack_.get();
    return offset >= 0 && offset < static_cast<std::ptrdiff_t>(stack_bytes);
  }

 private:
  static constexpr std::size_t stack_bytes = 256 << 10;

  [[noreturn]] static void main() {
    running_->body_();
    running_->has_ended_ = true;
    for (;;) pause();
  }

  static inline Strand* running_ = nullptr;

  std::unique_ptr<std::byte[]> stack_{new std::byte[stack_bytes]};
  std::function<void()> body_;
  Context context_;
  Context outside_;
  bool has_ended_ = false;
};

// Forces the value into a register and hides it from the compiler.
template <class T>
void use_register(T& value) {
  if constexpr (std::is_integral_v<T>) {
    asm volatile("" : "+r"(value));
  } else {
#if defined(__x86_64__)
    asm volatile("" : "+x"(value));
#else
    asm volatile("" : "+w"(value));
#endif
  }
}

// Returns true if all values are unchanged after each pause. Uses more values than there are registers.
template <class T, std::size_t... I>
bool values_survive(T first, std::index_sequence<I...>) {
  std::array<T, sizeof...(I)> values{first + static_cast<T>(I)...};
  bool is_right = true;
  for (int round = 0; round < 6; ++round) {
    (use_register(values[I]), ...);
    round % 2 ? Strand::pause() : Strand::call_pause();
    (use_register(values[I]), ...);
    is_right = is_right && ((values[I] == first + static_cast<T>(I)) && ...);
  }
  return is_right;
}

template <class T>
bool values_survive(T first) {
  return values_survive(first, std::make_index_sequence<12>()) && values_survive(first, std::make_index_sequence<40>());
}

template <class T>
void expect_that_values_survive() {
  bool one = false, other = false;
  Strand a([&] { one = values_survive<T>(1000); }), b([&] { other = values_survive<T>(2000); });
  while (!a.has_ended()) a.resume(), b.resume();
  EXPECT_TRUE(one);
  EXPECT_TRUE(other);
}

TEST(Context, RunsOnItsOwnStackAndContinuesAfterAPause) {
  std::string order;
  const void* local = nullptr;
  Strand strand([&] {
    int here = 0;
    local = &here;
    order += 'a';
    Strand::pause();
    order += 'c';
  });
  strand.resume();
  order += 'b';
  strand.resume();
  EXPECT_EQ(order, "abc");
  EXPECT_TRUE(strand.has_ended());
  EXPECT_TRUE(strand.holds(local));
  EXPECT_FALSE(strand.holds(&order));
}

TEST(Context, PreservesIntegers) { expect_that_values_survive<std::uint64_t>(); }
TEST(Context, PreservesFloatingPointValues) { expect_that_values_survive<double>(); }

// The side that resumes relies on its registers, as does the side that pauses.
TEST(Context, PreservesValuesOfTheResumingSide) {
  bool inner = false, outer = false;
  Strand leaf([&] { inner = values_survive<std::uint64_t>(3000); });
  Strand middle([&] {
    double x = 1.5, y = 2.5;
    std::uint64_t u = 7, v = 8;
    while (!leaf.has_ended()) {
      use_register(x), use_register(y), use_register(u), use_register(v);
      leaf.resume();
      use_register(x), use_register(y), use_register(u), use_register(v);
    }
    outer = x == 1.5 && y == 2.5 && u == 7 && v == 8;
  });
  middle.resume();
  EXPECT_TRUE(inner);
  EXPECT_TRUE(outer);
}

// A leaf function may keep its variables below the stack pointer (in the red zone).
__attribute__((noinline)) bool leaf_keeps_variables(Context& self, const Context& to) {
  volatile int values[12];
  for (int i = 0; i < 12; ++i) values[i] = i * i;
  switch_context(self, to, nullptr);
  bool is_right = true;
  for (int i = 0; i < 12; ++i) is_right = is_right && values[i] == i * i;
  return is_right;
}

Context ping, pong;
[[noreturn]] void come_back() {
  char* brought = nullptr;
  for (;;) brought = static_cast<char*>(switch_context(pong, ping, brought + 1));
}

TEST(Context, PreservesVariablesOfALeafFunction) {
  const std::unique_ptr<std::byte[]> stack(new std::byte[65536]);
  pong = new_context(stack.get() + 65536, come_back);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(leaf_keeps_variables(ping, pong));
}

TEST(Context, PassesAPointerToTheResumedSide) {
  const std::unique_ptr<std::byte[]> stack(new std::byte[65536]);
  std::array<char, 5> places;
  pong = new_context(stack.get() + 65536, come_back);
  // The first switch carries nullptr.
  EXPECT_EQ(switch_context(ping, pong, &places[0]), static_cast<char*>(nullptr) + 1);
  for (int i = 1; i < 4; ++i) EXPECT_EQ(switch_context(ping, pong, &places[i]), &places[i + 1]);
}

TEST(Context, SwitchToItselfContinues) {
  Context self;
  EXPECT_TRUE(leaf_keeps_variables(self, self));
}

// Code of the compiler and the C library that relies on an aligned stack.
TEST(Context, AlignsTheStackForAnyTop) {
  for (std::size_t unaligned : {0, 1, 7, 8, 15, 16, 24}) {
    std::uintptr_t address = 1;
    std::string text;
    Strand strand(
        [&] {
          alignas(16) std::array<float, 4> local{1, 2, 3, 4};
          const void* at = local.data();
          asm volatile("" : "+r"(at) : : "memory");
          address = reinterpret_cast<std::uintptr_t>(at);
          std::array<char, 64> buffer;
          std::snprintf(buffer.data(), buffer.size(), "%.2f %.1Lf", static_cast<double>(local[2]), 0.5L);
          text = buffer.data();
        },
        unaligned);
    strand.resume();
    EXPECT_EQ(address % 16, 0U) << unaligned;
    EXPECT_EQ(text, "3.00 0.5") << unaligned;
  }
}

__attribute__((noinline)) int throw_from(int depth) {
  if (depth == 0) {
    Strand::call_pause();
    throw std::runtime_error("from below");
  }
  return throw_from(depth - 1) + depth;
}

TEST(Context, ThrowsAndCatchesExceptionsOnAStack) {
  std::vector<std::unique_ptr<Strand>> strands;
  int n_caught = 0;
  for (int s = 0; s < 8; ++s) {
    strands.push_back(std::make_unique<Strand>([&n_caught, s] {
      for (int round = 0; round < 3; ++round) {
        try {
          throw_from(s);
        } catch (const std::runtime_error& error) {
          n_caught += error.what() == std::string("from below");
        }
        Strand::pause();
      }
    }));
  }
  for (int round = 0; round < 7; ++round) {
    for (auto& strand : strands) strand->resume();
  }
  EXPECT_EQ(n_caught, 24);
  for (auto& strand : strands) EXPECT_TRUE(strand->has_ended());
}

TEST(ContextDeathTest, TerminatesOnAnUncaughtException) {
  Strand strand([] { throw_from(3); });
  strand.resume();
  EXPECT_DEATH(strand.resume(), "terminate called");
}

__attribute__((noinline)) std::uint64_t sum_to(std::uint64_t n) {
  if (n == 0) {
    Strand::pause();
    return 0;
  }
  if (n % 100 == 0) Strand::call_pause();
  return sum_to(n - 1) + n;
}

TEST(Context, PausesInDeepCalls) {
  std::uint64_t sum = 0;
  Strand strand([&] { sum = sum_to(1000); });
  for (int round = 0; round < 12; ++round) strand.resume();
  EXPECT_TRUE(strand.has_ended());
  EXPECT_EQ(sum, 500500U);
}

TEST(Context, InterleavesManyStacks) {
  constexpr int n_strands = 300, n_rounds = 50;
  std::vector<int> log;
  std::vector<std::unique_ptr<Strand>> strands;
  for (int s = 0; s < n_strands; ++s) {
    strands.push_back(std::make_unique<Strand>([&log, s] {
      for (int round = 0; round < n_rounds; ++round) {
        log.push_back(round * n_strands + s);
        Strand::call_pause();
      }
    }));
  }
  for (int round = 0; round < n_rounds; ++round) {
    for (auto& strand : strands) strand->resume();
  }
  ASSERT_EQ(log.size(), std::size_t{n_strands * n_rounds});
  for (std::size_t i = 0; i < log.size(); ++i) ASSERT_EQ(log[i], static_cast<int>(i));
}

}  // namespace
}  // namespace rafter::simt

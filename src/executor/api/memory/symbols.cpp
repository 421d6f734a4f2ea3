// Copies, addresses and sizes of __device__, __constant__ and __managed__ variables.
#include "executor/api/memory/symbols.hpp"

#include <cstring>
#include <iterator>
#include <limits>

#include "executor/api/call.hpp"
#include "executor/api/memory/copy_call.hpp"
#include "executor/api/memory/extents.hpp"
#include "executor/memory/memory.hpp"
#include "rafter_simt/api/templates.hpp"

namespace rafter::simt {
namespace {

constexpr std::size_t unknown_bytes = std::numeric_limits<std::size_t>::max();

std::size_t bytes_of(rafter_simt::Symbol symbol) { return symbol.bytes == 0 ? unknown_bytes : symbol.bytes; }

std::byte* within(rafter_simt::Symbol symbol, std::size_t offset) {
  return static_cast<std::byte*>(const_cast<void*>(symbol.address)) + offset;
}

/// Checks that `bytes` at `offset` lie in the symbol and that `kind` is `direction` or device to device.
cudaError_t check(rafter_simt::Symbol symbol, std::size_t offset, std::size_t bytes, cudaMemcpyKind kind,
                  cudaMemcpyKind direction) {
  if (symbol.address == nullptr) return cudaErrorInvalidSymbol;
  if (kind != direction && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  const std::size_t size = bytes_of(symbol);
  return offset <= size && bytes <= size - offset ? cudaSuccess : cudaErrorInvalidValue;
}

MemorySide other_side(cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault) return MemorySide::either;
  return kind == cudaMemcpyDeviceToDevice ? MemorySide::device : MemorySide::host;
}

}  // namespace

void Symbols::remember(const void* base, std::size_t bytes, SymbolKind kind) {
  const std::lock_guard lock(mutex_);
  variables_[reinterpret_cast<std::uintptr_t>(base)] = {static_cast<const std::byte*>(base), bytes, kind};
}

std::optional<Symbols::Variable> Symbols::find(const void* address) const {
  const std::lock_guard lock(mutex_);
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  auto after = variables_.upper_bound(number);
  if (after == variables_.begin()) return std::nullopt;
  const auto& [begin, variable] = *std::prev(after);
  // For a variable of unknown size only its start address is known to belong to it.
  if (variable.bytes == unknown_bytes ? number != begin : number - begin >= variable.bytes) return std::nullopt;
  return variable;
}

Symbols& symbols() {
  static Symbols& symbols = *new Symbols;  // never destroyed: destructors of the program may still use it
  return symbols;
}

}  // namespace rafter::simt

using namespace rafter::simt;

namespace {

using Form = CopyCall::Form;

cudaError_t copy_to(rafter_simt::Symbol symbol, std::size_t offset, const void* from, std::size_t bytes,
                    cudaMemcpyKind kind, const CopyCall& call) {
  if (!streams().known(call.stream)) return cudaErrorInvalidResourceHandle;
  const cudaError_t error = check(symbol, offset, bytes, kind, cudaMemcpyHostToDevice);
  if (error != cudaSuccess || bytes == 0) return error;
  const auto from_reach = reach(from, bytes, other_side(kind));
  if (from_reach == Reach::wrong_side) return cudaErrorInvalidValue;
  const auto node = [&] {
    const auto run = [=](const CopyCall& again) { return copy_to(symbol, offset, from, bytes, kind, again); };
    return CopyNode{cudaGraphNodeTypeMemcpy, {}, run};
  };
  if (const auto result = captured(call, node)) return *result;
  std::byte* const to = within(symbol, offset);
  const CopyTask task(call, cudaMemoryTypeDevice, observed_type(from));
  memory().copied(to, from, bytes, call.place);
  if (from_reach == Reach::outside) return cudaErrorInvalidValue;
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t copy_from(void* to, rafter_simt::Symbol symbol, std::size_t offset, std::size_t bytes, cudaMemcpyKind kind,
                      const CopyCall& call) {
  if (!streams().known(call.stream)) return cudaErrorInvalidResourceHandle;
  const cudaError_t error = check(symbol, offset, bytes, kind, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess || bytes == 0) return error;
  const auto to_reach = reach(to, bytes, other_side(kind));
  if (to_reach == Reach::wrong_side) return cudaErrorInvalidValue;
  const auto node = [&] {
    const auto run = [=](const CopyCall& again) { return copy_from(to, symbol, offset, bytes, kind, again); };
    return CopyNode{cudaGraphNodeTypeMemcpy, {}, run};
  };
  if (const auto result = captured(call, node)) return *result;
  const std::byte* const from = within(symbol, offset);
  const CopyTask task(call, observed_type(to), cudaMemoryTypeDevice);
  memory().copied(to, from, bytes, call.place);
  if (to_reach == Reach::outside) return cudaErrorInvalidValue;
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

}  // namespace

cudaError_t rafter_simt_copy_to_symbol(rafter_simt::Symbol symbol, std::size_t offset, const void* from,
                                       std::size_t bytes, cudaMemcpyKind kind) {
  const CopyCall as{"cudaMemcpyToSymbol", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] { return copy_to(symbol, offset, from, bytes, kind, as); });
}

cudaError_t rafter_simt_copy_to_symbol_async(rafter_simt::Symbol symbol, std::size_t offset, const void* from,
                                             std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const CopyCall as{"cudaMemcpyToSymbolAsync", Form::asynchronous, stream, __builtin_return_address(0)};
  return call([&] { return copy_to(symbol, offset, from, bytes, kind, as); });
}

cudaError_t rafter_simt_copy_from_symbol(void* to, rafter_simt::Symbol symbol, std::size_t offset, std::size_t bytes,
                                         cudaMemcpyKind kind) {
  const CopyCall as{"cudaMemcpyFromSymbol", Form::synchronous, nullptr, __builtin_return_address(0)};
  return call([&] { return copy_from(to, symbol, offset, bytes, kind, as); });
}

cudaError_t rafter_simt_copy_from_symbol_async(void* to, rafter_simt::Symbol symbol, std::size_t offset,
                                               std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const CopyCall as{"cudaMemcpyFromSymbolAsync", Form::asynchronous, stream, __builtin_return_address(0)};
  return call([&] { return copy_from(to, symbol, offset, bytes, kind, as); });
}

cudaError_t rafter_simt_symbol_address(void** address, rafter_simt::Symbol symbol) {
  return call([&] {
    if (symbol.address == nullptr) return cudaErrorInvalidSymbol;
    if (!symbols().find(symbol.address)) symbols().remember(symbol.address, bytes_of(symbol), SymbolKind::device);
    return store_result(address, const_cast<void*>(symbol.address));
  });
}

cudaError_t rafter_simt_symbol_size(std::size_t* bytes, rafter_simt::Symbol symbol) {
  return call([&] {
    if (symbol.address == nullptr || symbol.bytes == 0) return cudaErrorInvalidSymbol;
    return store_result(bytes, symbol.bytes);
  });
}

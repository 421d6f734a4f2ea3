// Sealed processes: those that judge user code. The tool passes a key (RAFTER_SIMT_KEY), which the executor takes out
// of the environment, together with its options, before any code of the program runs. With it the process authenticates
// its results (base/seal.hpp), so that files written by user code are not taken for them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rafter::simt {

/// Whether the tool passed a key. The options and the report of such a process cannot be changed by the program.
bool is_sealed();

/// Seals bytes for this purpose. Returns them unchanged if the process is not sealed.
std::string sealed(std::string_view purpose, std::string_view bytes);

/// Returns the bytes that the tool sealed for this purpose, or nullopt if they are not the tool's. Returns the text
/// unchanged if the process is not sealed.
std::optional<std::string_view> unsealed(std::string_view purpose, std::string_view text);

}  // namespace rafter::simt

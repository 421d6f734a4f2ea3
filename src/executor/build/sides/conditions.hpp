// The conditions of preprocessor lines in the host's and in the device's compilation.
#pragma once

#include "executor/build/rewrite/lexer.hpp"

namespace rafter::simt::build {

/// The value of __CUDA_ARCH__ in device code: the compute capability in the device's properties.
inline constexpr long device_architecture = 900;
/// Defined with it if the device has the instructions that only this architecture has, as this one does.
inline constexpr std::string_view architecture_features = "__CUDA_ARCH_FEAT_SM90_ALL";

/// Whether the condition in the tokens [first, end) may have different results for host and device.
bool depends_on_side(const Tokens& tokens, int first, int end);

}  // namespace rafter::simt::build

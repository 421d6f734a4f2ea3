// The numbers by which by_shape chooses a kernel and its shared memory. All are heuristics unless a measurement is
// given; 'rafter tune conv' measures the alternatives of the tunables.
#pragma once

#include "library/core/tunable.hpp"

namespace rafter::conv_ladder {

// 3 x 3 kernels in fp32 use Winograd's kernel from this number of channels and maps on: its blocks have 64 maps and its
// chunks 8 channels, which should be filled well. H200: with 64 and 256 of both it is 4.5 and 5.9 times as fast as the
// direct kernel (README.md); smaller numbers were not timed.
inline const core::Tunable winograd_channels{
    "conv.winograd_channels", "channels from which on Winograd's kernel is used", {{80, 16}}, {8, 16, 32, 64}};
inline const core::Tunable winograd_maps{
    "conv.winograd_maps", "maps from which on Winograd's kernel is used", {{80, 32}}, {16, 32, 64}};

// Shared memory of a block of the direct kernel: at most 72 KiB, so that three blocks fit on an H200 multiprocessor;
// rounds of rows are only added up to 48 KiB, so that four fit. H200, LeNet's first layer: four blocks with half images
// are faster than three with whole ones (745 us with three; NOTES.md).
inline const core::Tunable direct_shared_kib{
    "conv.direct_shared_kib", "KiB of shared memory of a block of the direct kernel", {{80, 72}}, {48, 72, 96}};
inline const core::Tunable direct_row_shared_kib{
    "conv.direct_row_shared_kib", "KiB of shared memory up to which a block gets more rows", {{80, 48}}, {32, 48, 72}};

// Shared memory of a block of the tensor-core kernels for few channels: at most 100 KiB, so that two fit on an H200.
inline const core::Tunable mma_shared_kib{
    "conv.mma_shared_kib", "KiB of shared memory of a block on tensor cores", {{80, 100}}, {48, 72, 100}};

// tf32 convolutions of up to so many channels or maps use the direct kernel in fp32, which was faster there on an H200
// (for LeNet's layers) and is within tf32's bound. Not tunable: no standard case has this precision.
inline constexpr int tf32_direct_channels = 4;
inline constexpr int tf32_direct_maps = 8;

}  // namespace rafter::conv_ladder

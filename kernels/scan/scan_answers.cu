// The reference of scan, compiled for the GPU.
#include "scan/scan_answers.hpp"
#include "workbench/lab/data/device_code.cuh"

namespace rafter::scan_ladder {

extern const lab::DeviceCode device_code;
const lab::DeviceCode device_code{ForTypes<Types, CompareScanPart, ScanTypes>{}};

}  // namespace rafter::scan_ladder

// scan's reference on the GPU.
#include "lab/cases/device_code.cuh"
#include "scan/scan_answers.hpp"

namespace rafter::lab {

extern const DeviceCode scan_device_code;
const DeviceCode scan_device_code{ForTypes<Types, SumScanPart, ScanTypes>{},
                                  ForTypes<Types, CompareScanPart, ScanTypes>{}};

}  // namespace rafter::lab

// A room includes only rooms under it; the table is in rooms.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "../lab/temporary_folder.hpp"
#include "rooms.hpp"

namespace rafter::architecture {
namespace {

namespace fs = std::filesystem;

const fs::path tree = RAFTER_SOURCE_DIR;

TEST(Includes, NoneOfThisTreePointsUp) {
  for (const std::string& wrong : complaints(tree)) ADD_FAILURE() << wrong;
}

TEST(Includes, OnesThatPointUpAreFound) {
  for (const auto& [file, included] : {std::pair{"src/simt/engine/block.cpp", "simt/check/check_observer.hpp"},
                                       std::pair{"src/simt/memory/memory.cpp", "simt/engine/workers/worker.hpp"},
                                       std::pair{"src/simt/check/regions.cpp", "simt/count/counts.hpp"},
                                       std::pair{"src/simt/order/touches.cpp", "simt/memory/memory.hpp"},
                                       std::pair{"src/simt/report/report_file.cpp", "simt/engine/grid.hpp"},
                                       std::pair{"src/base/files.cpp", "lab/report/table.hpp"},
                                       std::pair{"src/core/stream/stream.cpp", "base/files.hpp"},
                                       std::pair{"src/ptx/tma.cuh", "core/cuda/launch.cuh"},
                                       std::pair{"src/lab/report/table.cpp", "cli/run.hpp"},
                                       std::pair{"src/lab/report/table.cpp", "sum/sum_rung.hpp"},
                                       std::pair{"src/lab/data/generate.hpp", "lab/workload/params.hpp"},
                                       std::pair{"src/lab/machine/timer.hpp", "lab/roofs/roofs.hpp"},
                                       std::pair{"src/lab/measure/measure.hpp", "lab/report/table.hpp"},
                                       std::pair{"src/solve/heat_run.cpp", "trial/source.hpp"},
                                       std::pair{"include/rafter/sum.hpp", "core/cuda/launch.cuh"},
                                       std::pair{"kernels/sum/sum.cpp", "lab/cases/ladder.hpp"},
                                       std::pair{"kernels/sum/sum_workload.cpp", "solve/field.hpp"},
                                       std::pair{"kernels/sum/sum_workload.cpp", "lab/measure/verify.hpp"},
                                       std::pair{"kernels/lenet/lenet_weights.cpp", "base/files.hpp"},
                                       std::pair{"src/attic/old.cpp", "base/files.hpp"}}) {
    EXPECT_TRUE(complaint(tree, file, included)) << file << " may include " << included;
  }
}

TEST(Includes, OnesThatPointDownMayStay) {
  for (const auto& [file, included] :
       {std::pair{"src/simt/check/check_observer.hpp", "simt/process/observer.hpp"},
        std::pair{"src/simt/engine/block.cpp", "rafter_simt/abi.hpp"},
        std::pair{"src/cli/run/run.cpp", "lab/report/table.hpp"},
        std::pair{"kernels/sum/sum_workload.cpp", "lab/cases/ladder.hpp"},
        std::pair{"kernels/filter/filter.cpp", "scan/scan.hpp"},
        std::pair{"kernels/lenet/lenet_weights.cpp", "base/new_file.hpp"},
        std::pair{"kernels/spectral/spectral_weights.cpp", "base/safetensors.hpp"},
        std::pair{"kernels/spectral/spectral_weights.cpp", "base/model_reader.hpp"},
        std::pair{"src/base/files.cpp", "files.hpp"}, std::pair{"src/lab/report/table.cpp", "gtest/gtest.h"}}) {
    EXPECT_EQ(complaint(tree, file, included).value_or(""), "");
  }
}

TEST(Includes, APlantedOneFailsAWholeTree) {
  const lab::TemporaryFolder folder;
  for (const char* room : {"include/rafter", "src/core/stream", "src/lab/report", "kernels/sum"})
    fs::create_directories(folder.path() / room);
  std::ofstream(folder.path() / "src/core/stream/stream.cpp") << "#include \"rafter/stream.hpp\"\n";
  std::ofstream(folder.path() / "kernels/sum/sum.cu") << "#include \"core/cuda/launch.cuh\"\n";
  EXPECT_TRUE(complaints(folder.path()).empty());
  std::ofstream(folder.path() / "src/core/stream.hpp") << "#pragma once\n\n#include \"lab/report/table.hpp\"\n";
  EXPECT_EQ(complaints(folder.path()), std::vector<std::string>{"src/core/stream.hpp includes lab/report/table.hpp: "
                                                                "src/core may not use src/lab/report"});
}

TEST(Rooms, EachUsesOnlyRoomsBeforeIt) {
  std::vector<std::string_view> before;
  for (const Room& room : rooms()) {
    for (const std::string_view used : room.may_include)
      EXPECT_NE(std::find(before.begin(), before.end(), used), before.end()) << room.folder << " uses " << used;
    before.push_back(room.folder);
  }
}

}  // namespace
}  // namespace rafter::architecture

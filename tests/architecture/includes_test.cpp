// A module includes only modules it depends on; the table is in modules.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "../workbench/lab/temporary_folder.hpp"
#include "modules.hpp"

namespace rafter::architecture {
namespace {

namespace fs = std::filesystem;

const fs::path tree = RAFTER_SOURCE_DIR;

TEST(Includes, FollowTheTableInThisTree) {
  for (const std::string& wrong : violations(tree)) ADD_FAILURE() << wrong;
}

TEST(Includes, AgainstTheTableAreFound) {
  for (const auto& [file, included] :
       {std::pair{"src/executor/engine/block.cpp", "executor/check/check_observer.hpp"},
        std::pair{"src/executor/memory/memory.cpp", "executor/engine/workers/worker.hpp"},
        std::pair{"src/executor/check/regions.cpp", "executor/count/counts.hpp"},
        std::pair{"src/executor/order/access_map.cpp", "executor/memory/memory.hpp"},
        std::pair{"src/executor/report/report_file.cpp", "executor/engine/grid.hpp"},
        std::pair{"src/base/files.cpp", "workbench/lab/report/table.hpp"},
        std::pair{"src/library/core/stream/stream.cpp", "base/files.hpp"},
        std::pair{"src/library/ptx/tma.cuh", "library/core/cuda/launch.cuh"},
        std::pair{"src/workbench/lab/report/table.cpp", "cli/run.hpp"},
        std::pair{"src/workbench/lab/report/table.cpp", "sum/sum_rung.hpp"},
        std::pair{"src/workbench/lab/data/generate.hpp", "workbench/lab/workload/params.hpp"},
        std::pair{"src/workbench/lab/machine/timer.hpp", "workbench/lab/roofs/roofs.hpp"},
        std::pair{"src/workbench/lab/measure/measure.hpp", "workbench/lab/report/table.hpp"},
        std::pair{"src/apps/solve/heat_run.cpp", "workbench/trial/source.hpp"},
        std::pair{"include/rafter/sum.hpp", "library/core/cuda/launch.cuh"},
        std::pair{"kernels/sum/sum.cpp", "workbench/lab/cases/ladder.hpp"},
        std::pair{"kernels/sum/sum_workload.cpp", "apps/solve/field.hpp"},
        std::pair{"kernels/sum/sum_workload.cpp", "workbench/lab/measure/verify.hpp"},
        std::pair{"kernels/spectral/spectral_weights.cpp", "base/files.hpp"},
        std::pair{"kernels/conv/conv.cpp", "apps/classify/lenet/lenet.hpp"},
        std::pair{"include/rafter/conv.hpp", "apps/classify/lenet/lenet.hpp"},
        std::pair{"src/attic/old.cpp", "base/files.hpp"}}) {
    EXPECT_TRUE(violation(tree, file, included)) << file << " may include " << included;
  }
}

TEST(Includes, WithinTheTableAreAccepted) {
  for (const auto& [file, included] :
       {std::pair{"src/executor/check/check_observer.hpp", "executor/process/observer.hpp"},
        std::pair{"src/executor/engine/block.cpp", "rafter_simt/abi.hpp"},
        std::pair{"src/cli/run/list.cpp", "workbench/lab/report/table.hpp"},
        std::pair{"kernels/sum/sum_workload.cpp", "workbench/lab/cases/ladder.hpp"},
        std::pair{"kernels/filter/filter.cpp", "scan/scan.hpp"},
        std::pair{"src/library/safetensors/file.cpp", "base/new_file.hpp"},
        std::pair{"src/apps/classify/lenet/lenet_layers.hpp", "conv/conv_rung.hpp"},
        std::pair{"kernels/spectral/spectral_weights.cpp", "library/safetensors/file.hpp"},
        std::pair{"kernels/spectral/spectral_weights.cpp", "library/safetensors/model_reader.hpp"},
        std::pair{"src/base/files.cpp", "files.hpp"},
        std::pair{"src/workbench/lab/report/table.cpp", "gtest/gtest.h"}}) {
    EXPECT_EQ(violation(tree, file, included).value_or(""), "");
  }
}

TEST(Includes, OnePlantedViolationFailsATree) {
  const lab::TemporaryFolder folder;
  for (const char* module : {"include/rafter", "src/library/core/stream", "src/workbench/lab/report", "kernels/sum"})
    fs::create_directories(folder.path() / module);
  std::ofstream(folder.path() / "src/library/core/stream/stream.cpp") << "#include \"rafter/stream.hpp\"\n";
  std::ofstream(folder.path() / "kernels/sum/sum.cu") << "#include \"library/core/cuda/launch.cuh\"\n";
  EXPECT_TRUE(violations(folder.path()).empty());
  std::ofstream(folder.path() / "src/library/core/stream.hpp")
      << "#pragma once\n\n#include \"workbench/lab/report/table.hpp\"\n";
  EXPECT_EQ(violations(folder.path()),
            std::vector<std::string>{"src/library/core/stream.hpp includes workbench/lab/report/table.hpp: "
                                     "src/library/core may not use src/workbench/lab/report"});
}

TEST(Modules, DependOnlyOnEarlierModules) {
  std::vector<std::string_view> before;
  for (const Module& module : modules()) {
    for (const std::string_view used : module.may_include)
      EXPECT_NE(std::find(before.begin(), before.end(), used), before.end()) << module.folder << " uses " << used;
    before.push_back(module.folder);
  }
}

/// docs/architecture.md has the table between two comment lines. RAFTER_UPDATE_GOLDEN=1 writes it there.
TEST(Modules, TableInTheDocumentationIsThisOne) {
  const fs::path document = tree / "docs/architecture.md";
  std::ifstream in(document);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string first = "<!-- modules: generated by tests/architecture -->\n", last = "<!-- end of modules -->\n";
  const std::size_t begin = text.find(first), end = text.find(last);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::size_t start = begin + first.size();
  if (std::getenv("RAFTER_UPDATE_GOLDEN")) {
    std::ofstream(document) << text.substr(0, start) << markdown_table() << text.substr(end);
    return;
  }
  EXPECT_EQ(text.substr(start, end - start), markdown_table())
      << "run RAFTER_UPDATE_GOLDEN=1 ./rafter test -R Modules.TableInTheDocumentation";
}

}  // namespace
}  // namespace rafter::architecture

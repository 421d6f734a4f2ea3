// A heat run as the user typed it. An empty text means that the option was not given, which matters to a resumed run.
#pragma once

#include <string>

namespace rafter::solve {

struct HeatRequest {
  std::string grid{}, spacing{}, alpha{}, source{}, capacity{}, order{}, boundary{}, dt{}, dtype{};
  std::string steps{}, time{};
  std::string initial{}, amplitude{}, width{}, radius{}, seed{};
  std::string out{}, every{}, format{};
  std::string picture{}, picture_every{}, slice{}, range{};
  std::string checkpoint{}, checkpoint_every{}, resume{};
  std::string probe{}, probe_every{}, probe_file{};
  std::string steady{};
  std::string report_every{};
  bool overwrite = false;
};

}  // namespace rafter::solve

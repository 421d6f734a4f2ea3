#include "cli/score/score.hpp"

using namespace rafter::cli;

int main(int argc, char** argv) {
  return tool(argc, argv, Performer{[](const ScoreOptions& options) { return score(options); }});
}

#include "cli/classify/classify.hpp"

using namespace rafter::cli;

int main(int argc, char** argv) {
  return tool(argc, argv, Performer{[](const ClassifyOptions& options) { return classify(options); }});
}

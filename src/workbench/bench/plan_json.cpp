// A plan as JSON, for child processes. Expressions are written as their text.
#include <nlohmann/json.hpp>

#include "workbench/bench/plan.hpp"

namespace rafter::bench {

namespace {

using nlohmann::json;

json texts_of(const std::vector<base::Expression>& expressions) {
  json texts = json::array();
  for (const base::Expression& expression : expressions) texts.push_back(expression.text());
  return texts;
}

std::vector<base::Expression> expressions_of(const json& texts) {
  std::vector<base::Expression> expressions;
  for (const json& text : texts) expressions.emplace_back(text.get<std::string>());
  return expressions;
}

json text_of(const std::optional<base::Expression>& expression) {
  return expression ? json(expression->text()) : json();
}

std::optional<base::Expression> optional_of(const json& text) {
  return text.is_null() ? std::nullopt : std::optional(base::Expression(text.get<std::string>()));
}

json argument_json(const Argument& argument) {
  json members = json::array();
  for (const Argument& member : argument.members) members.push_back(argument_json(member));
  return {{"members", members},
          {"name", argument.name},
          {"kind", static_cast<int>(argument.kind)},
          {"type", argument.type ? json(name(*argument.type)) : json()},
          {"shape", texts_of(argument.shape)},
          {"fill",
           {{"kind", static_cast<int>(argument.fill.kind)},
            {"operands", texts_of(argument.fill.operands)},
            {"file", argument.fill.file.string()}}}};
}

Argument argument_of(const json& from) {
  const json& fill = from.at("fill");
  Argument argument{.name = from.at("name"),
                    .kind = static_cast<Argument::Kind>(from.at("kind").get<int>()),
                    .shape = expressions_of(from.at("shape")),
                    .fill = {.kind = static_cast<FillRule::Kind>(fill.at("kind").get<int>()),
                             .operands = expressions_of(fill.at("operands")),
                             .file = fill.at("file").get<std::string>()}};
  for (const json& member : from.at("members")) argument.members.push_back(argument_of(member));
  if (const json& type = from.at("type"); type.is_string())
    argument.type = element_type_called(type.get<std::string>());
  return argument;
}

json size_json(const Size& size) {
  json values = json::array();
  for (const lab::Value& value : size.values) std::visit([&](const auto& number) { values.push_back(number); }, value);
  return {{"name", size.name}, {"values", values}, {"text", size.text}};
}

Size size_of(const json& from) {
  Size size{.name = from.at("name"), .text = from.at("text")};
  for (const json& value : from.at("values")) {
    if (value.is_number_integer()) {
      size.values.emplace_back(value.get<std::int64_t>());
    } else {
      size.values.emplace_back(value.get<double>());
    }
  }
  return size;
}

json call_json(const Call& call) {
  json made{{"function", call.function}, {"launch", nullptr}, {"operands", nullptr}};
  if (const auto& launch = call.launch)
    made["launch"] = {{"grid", texts_of(launch->grid)},
                      {"block", texts_of(launch->block)},
                      {"shared_bytes", text_of(launch->shared_bytes)},
                      {"is_cooperative", launch->is_cooperative}};
  if (!call.operands) return made;
  made["operands"] = json::array();
  for (const Operand& operand : *call.operands)
    made["operands"].push_back({{"argument", argument_json(operand.argument)}, {"offset", text_of(operand.offset)}});
  return made;
}

Call call_of(const json& from) {
  Call call{.function = from.at("function")};
  if (const json& launch = from.at("launch"); !launch.is_null())
    call.launch = {expressions_of(launch.at("grid")), expressions_of(launch.at("block")),
                   optional_of(launch.at("shared_bytes")), launch.at("is_cooperative")};
  if (from.at("operands").is_null()) return call;
  call.operands.emplace();
  for (const json& operand : from.at("operands"))
    call.operands->push_back({argument_of(operand.at("argument")), optional_of(operand.at("offset"))});
  return call;
}

}  // namespace

json to_json(const KernelPlan& plan) {
  json arguments = json::array(), symbols = json::array(), subjects = json::object(), sizes = json::array(),
       expectations = json::object();
  for (const Argument& argument : plan.arguments) arguments.push_back(argument_json(argument));
  for (const Argument& symbol : plan.symbols) symbols.push_back(argument_json(symbol));
  for (const auto& [name, calls] : plan.subjects) {
    json& all = subjects[name] = json::array();
    for (const Call& call : calls) all.push_back(call_json(call));
  }
  for (const Size& size : plan.sizes) sizes.push_back(size_json(size));
  for (const auto& [array, file] : plan.expectations) expectations[array] = file.string();
  return {{"file", plan.file.string()},
          {"build", plan.build},
          {"kernels", plan.kernels},
          {"reference_kernels", plan.reference_kernels},
          {"reference_functions", plan.reference_functions},
          {"expectations", expectations},
          {"arguments", arguments},
          {"symbols", symbols},
          {"subjects", subjects},
          {"sizes", sizes},
          {"bytes", text_of(plan.bytes)},
          {"flops", text_of(plan.flops)},
          {"tolerance", plan.tolerance},
          {"may_keep", plan.may_keep},
          {"allowed", plan.allowed}};
}

KernelPlan kernel_plan_of(const json& from) {
  KernelPlan plan{.file = from.at("file").get<std::string>(),
                  .build = from.at("build"),
                  .kernels = from.at("kernels"),
                  .reference_kernels = from.at("reference_kernels"),
                  .reference_functions = from.at("reference_functions"),
                  .bytes = optional_of(from.at("bytes")),
                  .flops = optional_of(from.at("flops")),
                  .tolerance = from.at("tolerance"),
                  .may_keep = from.at("may_keep"),
                  .allowed = from.at("allowed")};
  for (const auto& [array, file] : from.at("expectations").items()) plan.expectations[array] = file.get<std::string>();
  for (const json& argument : from.at("arguments")) plan.arguments.push_back(argument_of(argument));
  for (const json& symbol : from.at("symbols")) plan.symbols.push_back(argument_of(symbol));
  for (const auto& [name, calls] : from.at("subjects").items()) {
    for (const json& call : calls) plan.subjects[name].push_back(call_of(call));
  }
  for (const json& size : from.at("sizes")) plan.sizes.push_back(size_of(size));
  return plan;
}

}  // namespace rafter::bench

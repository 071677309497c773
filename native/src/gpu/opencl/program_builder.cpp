#include "program_builder.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace headframe::gpu {

namespace {
constexpr std::size_t log_limit = 2000;  ///< characters of the compiler's output that are shown
}

std::variant<cl::Object<cl::Program>, Fault> ProgramBuilder::build(const std::string& defines) const {
  const std::string key = target_.identity + '\n' + defines + '\n' + source_;
  if (auto loaded = load(key, defines)) return loaded;
  const char* text = source_.c_str();
  const std::size_t length = source_.size();
  cl::Code code = cl::success;
  cl::Object<cl::Program> program(api_.CreateProgramWithSource(target_.context, 1, &text, &length, &code),
                                  api_.ReleaseProgram);
  if (!program) return Fault{Fault::Kind::build, "clCreateProgramWithSource: " + cl::code_name(code)};
  const cl::Code built = api_.BuildProgram(program.get(), 1, &target_.device, defines.c_str(), nullptr, nullptr);
  if (built != cl::success) return build_fault(program.get(), built);
  keep(key, program.get());
  return program;
}

/// Nothing when there is no binary or the driver rejects it.
cl::Object<cl::Program> ProgramBuilder::load(const std::string& key, const std::string& defines) const {
  const auto binary = cache_.read(key);
  if (!binary) return {};
  const unsigned char* data = binary->data();
  const std::size_t length = binary->size();
  cl::Code taken = cl::success;
  cl::Code code = cl::success;
  cl::Object<cl::Program> program(
      api_.CreateProgramWithBinary(target_.context, 1, &target_.device, &length, &data, &taken, &code),
      api_.ReleaseProgram);
  if (!program || taken != cl::success) return {};
  const cl::Code built = api_.BuildProgram(program.get(), 1, &target_.device, defines.c_str(), nullptr, nullptr);
  return built == cl::success ? std::move(program) : cl::Object<cl::Program>();
}

/// Asking for a binary makes some drivers compile every kernel once more, for groups of any size.
void ProgramBuilder::keep(const std::string& key, cl::Program program) const {
  if (!cache_.stores()) return;
  std::size_t length = 0;
  if (api_.GetProgramInfo(program, cl::program_binary_sizes, sizeof length, &length, nullptr) != cl::success) return;
  if (length == 0) return;
  std::vector<unsigned char> binary(length);
  unsigned char* data = binary.data();
  if (api_.GetProgramInfo(program, cl::program_binaries, sizeof data, &data, nullptr) != cl::success) return;
  cache_.write(key, binary);
}

Fault ProgramBuilder::build_fault(cl::Program program, cl::Code code) const {
  std::size_t length = 0;
  api_.GetProgramBuildInfo(program, target_.device, cl::program_build_log, 0, nullptr, &length);
  std::string words(length, '\0');
  if (length > 0) {
    api_.GetProgramBuildInfo(program, target_.device, cl::program_build_log, length, words.data(), nullptr);
  }
  words.resize(std::min(words.find('\0'), std::min(words.size(), log_limit)));
  return {Fault::Kind::build, "clBuildProgram: " + cl::code_name(code) + ": " + words};
}

}  // namespace headframe::gpu

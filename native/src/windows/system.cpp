#include "system.h"

#ifdef _WIN32

#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
// Must follow it.
#include <aclapi.h>
#include <sddl.h>

#include <memory>
#include <vector>

#include "../utf8_path.h"

namespace headframe::windows {

namespace {

struct LocalMemory {
  void operator()(void* memory) const { LocalFree(memory); }
};
struct OpenHandle {
  void operator()(void* handle) const { CloseHandle(handle); }
};
using Handle = std::unique_ptr<void, OpenHandle>;

std::string failed(const char* what, DWORD code) {
  return std::string(what) + ": error " + std::to_string(code) + " of Windows";
}

/// As text, `S-1-5-21-...`; empty when unknown.
std::wstring user_sid() {
  HANDLE opened = nullptr;
  if (OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &opened) == 0) return {};
  const Handle token(opened);
  DWORD bytes = 0;
  GetTokenInformation(token.get(), TokenUser, nullptr, 0, &bytes);
  std::vector<unsigned char> user(bytes);
  if (bytes == 0 || GetTokenInformation(token.get(), TokenUser, user.data(), bytes, &bytes) == 0) return {};
  LPWSTR text = nullptr;
  if (ConvertSidToStringSidW(reinterpret_cast<TOKEN_USER*>(user.data())->User.Sid, &text) == 0) return {};
  const std::unique_ptr<wchar_t, LocalMemory> held(text);
  return text;
}

/// An access list, from the system's own notation, and the descriptor that contains it.
struct AccessList {
  std::unique_ptr<void, LocalMemory> descriptor;
  PACL list = nullptr;
  /// Empty, or what failed.
  std::string failure;
};

/// Full access for this user, the system (SY) and its administrators (BA); none for anyone else. P: nothing is
/// inherited. FA: full access.
AccessList owner_list(const wchar_t* inheritance) {
  AccessList made;
  const std::wstring sid = user_sid();
  if (sid.empty()) {
    made.failure = failed("this user can't be told", GetLastError());
    return made;
  }
  const std::wstring full = std::wstring(L"(A;") + inheritance + L";FA;;;";
  const std::wstring rules = L"D:P" + full + sid + L")" + full + L"SY)" + full + L"BA)";
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  if (ConvertStringSecurityDescriptorToSecurityDescriptorW(rules.c_str(), SDDL_REVISION_1, &descriptor, nullptr) == 0) {
    made.failure = failed("the access rules can't be made", GetLastError());
    return made;
  }
  made.descriptor.reset(descriptor);
  BOOL is_present = FALSE;
  BOOL is_default = FALSE;
  if (GetSecurityDescriptorDacl(descriptor, &is_present, &made.list, &is_default) == 0) {
    made.failure = failed("the access rules can't be read", GetLastError());
  }
  return made;
}

constexpr SECURITY_INFORMATION PROTECTED_LIST = DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION;

}  // namespace

std::string protect_folder(const std::string& path) {
  // OI, CI: files and folders below inherit it.
  const AccessList rules = owner_list(L"OICI");
  if (!rules.failure.empty()) return rules.failure;
  std::wstring name = utf8_path(path).wstring();
  const DWORD code =
      SetNamedSecurityInfoW(name.data(), SE_FILE_OBJECT, PROTECTED_LIST, nullptr, nullptr, rules.list, nullptr);
  return code == ERROR_SUCCESS ? std::string() : failed("the access rules can't be set", code);
}

std::string protect_pipe(const std::string& name) {
  const AccessList rules = owner_list(L"");
  if (!rules.failure.empty()) return rules.failure;
  // All instances of a pipe share one descriptor, including later ones.
  HANDLE opened = CreateFileW(utf8_path(name).wstring().c_str(), WRITE_DAC, 0, nullptr, OPEN_EXISTING, 0, nullptr);
  if (opened == INVALID_HANDLE_VALUE) return failed("the pipe can't be opened", GetLastError());
  const Handle pipe(opened);
  const DWORD code =
      SetSecurityInfo(pipe.get(), SE_KERNEL_OBJECT, PROTECTED_LIST, nullptr, nullptr, rules.list, nullptr);
  return code == ERROR_SUCCESS ? std::string() : failed("the access rules can't be set", code);
}

std::uint64_t process_start(std::uint32_t pid) {
  const Handle process(OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid));
  FILETIME start{};
  FILETIME other{};
  if (process == nullptr || GetProcessTimes(process.get(), &start, &other, &other, &other) == 0) return 0;
  return (static_cast<std::uint64_t>(start.dwHighDateTime) << 32) | start.dwLowDateTime;
}

}  // namespace headframe::windows

#endif

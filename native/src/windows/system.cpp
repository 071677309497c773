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

}  // namespace

std::string protect_folder(const std::string& path) {
  const std::wstring sid = user_sid();
  if (sid.empty()) return failed("this user can't be told", GetLastError());
  // P: nothing is inherited. OI, CI: files and folders below inherit it. FA: full access. SY: the system, BA: its
  // administrators.
  const std::wstring rules = L"D:P(A;OICI;FA;;;" + sid + L")(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)";
  PSECURITY_DESCRIPTOR made = nullptr;
  if (ConvertStringSecurityDescriptorToSecurityDescriptorW(rules.c_str(), SDDL_REVISION_1, &made, nullptr) == 0) {
    return failed("the access rules can't be made", GetLastError());
  }
  const std::unique_ptr<void, LocalMemory> held(made);
  PACL list = nullptr;
  BOOL is_present = FALSE;
  BOOL is_default = FALSE;
  if (GetSecurityDescriptorDacl(made, &is_present, &list, &is_default) == 0) {
    return failed("the access rules can't be read", GetLastError());
  }
  std::wstring name = utf8_path(path).wstring();
  constexpr SECURITY_INFORMATION what = DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION;
  const DWORD code = SetNamedSecurityInfoW(name.data(), SE_FILE_OBJECT, what, nullptr, nullptr, list, nullptr);
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

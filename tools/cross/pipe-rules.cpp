// pipe-rules.exe NAME: who may do what with a named pipe, in Windows' own notation. For npm run test:windows.
#include <windows.h>
// After it.
#include <aclapi.h>
#include <sddl.h>

#include <cstdio>

int main(int count, char** words) {
  if (count != 2) return 2;
  const HANDLE pipe = CreateFileA(words[1], READ_CONTROL, 0, nullptr, OPEN_EXISTING, 0, nullptr);
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  PACL list = nullptr;
  LPSTR text = nullptr;
  constexpr SECURITY_INFORMATION what = DACL_SECURITY_INFORMATION;
  if (pipe == INVALID_HANDLE_VALUE ||
      GetSecurityInfo(pipe, SE_KERNEL_OBJECT, what, nullptr, nullptr, &list, nullptr, &descriptor) != ERROR_SUCCESS ||
      ConvertSecurityDescriptorToStringSecurityDescriptorA(descriptor, SDDL_REVISION_1, what, &text, nullptr) == 0) {
    std::fprintf(stderr, "error %lu of Windows\n", GetLastError());
    return 1;
  }
  std::puts(text);
  return 0;
}

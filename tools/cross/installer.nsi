; The installer of the headless program for Windows: for one user, without administrator's rights. package-windows.mjs gives VERSION,
; SOURCE (the staged folder), OUT (the installer), ICON and SIZE (KiB installed); QUICK: larger, made in a tenth of the time. Keys and data lie elsewhere (%APPDATA%\headframe): neither
; this nor the uninstaller touches them.
; As the program itself: a Windows of 32 bits could start neither.
Target amd64-unicode
ManifestDPIAware true
!ifdef QUICK
  SetCompressor zlib
!else
  SetCompressor /SOLID lzma
!endif
!include MUI2.nsh
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Headframe"

Name "Headframe ${VERSION}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Headframe"
InstallDirRegKey HKCU "Software\Headframe" "Folder"
RequestExecutionLevel user
BrandingText " "
ShowInstDetails nevershow
ShowUninstDetails nevershow

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!insertmacro MUI_PAGE_LICENSE "${SOURCE}\LICENSE"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Headframe"
VIAddVersionKey "FileDescription" "Headframe installer"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "Apache-2.0"

; A running program holds its node.exe: nothing is changed then.
!macro RefuseWhileRunning
  ${If} ${FileExists} "$INSTDIR\node.exe"
    ClearErrors
    FileOpen $0 "$INSTDIR\node.exe" a
    ${If} ${Errors}
      MessageBox MB_OK|MB_ICONSTOP "Headframe is running, or its folder can't be written: stop it, then try again." /SD IDOK
      SetErrorLevel 3
      Quit
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

; What an installation before put here, and nothing else.
!macro RemoveProgram
  RMDir /r "$INSTDIR\bin"
  RMDir /r "$INSTDIR\native"
  RMDir /r "$INSTDIR\node_modules"
  RMDir /r "$INSTDIR\out"
  RMDir /r "$INSTDIR\resources"
  Delete "$INSTDIR\node.exe"
  Delete "$INSTDIR\headframe.cmd"
  Delete "$INSTDIR\package.json"
  Delete "$INSTDIR\package-kind"
  Delete "$INSTDIR\*.md"
  Delete "$INSTDIR\LICENSE*"
  Delete "$INSTDIR\uninstall.exe"
!macroend

Section
  !insertmacro RefuseWhileRunning
  !insertmacro RemoveProgram
  SetOutPath "$INSTDIR"
  File /r "${SOURCE}\*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKCU "Software\Headframe" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Headframe"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${SIZE}
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  CreateShortcut "$SMPROGRAMS\Headframe.lnk" "$INSTDIR\headframe.cmd" "run --headless"
  ; An installer that had to leave files behind says so.
  IfErrors 0 +2
  SetErrorLevel 4
SectionEnd

Section "Uninstall"
  !insertmacro RefuseWhileRunning
  !insertmacro RemoveProgram
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Headframe.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\Headframe"
SectionEnd

// What Windows accepts as a file name, and silently changes: learn.microsoft.com/windows/win32/fileio/naming-a-file.

/** Device names, in every folder and with any extension: what is written there is lost. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const FORBIDDEN = /[<>:"|?*\u0000-\u001f]/
const PIPE = /^[/\\]{2}[.?][/\\]pipe[/\\]./i
/** A drive, a long path prefix, a share: the part before the names. */
const ROOT = /^(?:[/\\]{2}\?[/\\])?(?:[A-Za-z]:)?/
const DRIVE_ALONE = /^[A-Za-z]:(?![/\\])/
const DEVICES_ROOT = /^[/\\]{2}\.[/\\]/

/** Why a path can't be a file's on Windows, after "is not"; null when it can. `\\.\pipe\NAME` is a pipe. */
export function windowsPathFault(path: string): string | null {
  if (PIPE.test(path)) return null
  if (DEVICES_ROOT.test(path)) return 'a file or a pipe (it names a device)'
  if (DRIVE_ALONE.test(path)) return 'a whole path (behind the drive comes a backslash: C:\\folder)'
  for (const name of path.replace(ROOT, '').split(/[/\\]/)) {
    if (DEVICE.test(name)) return `a path that Windows can have (${name} is a device)`
    const [bad] = FORBIDDEN.exec(name) ?? []
    if (bad !== undefined) return `a path that Windows can have (no name holds ${JSON.stringify(bad)})`
    if (/[. ]$/.test(name) && !/^\.{1,2}$/.test(name))
      return `a path that Windows can have (it drops the last character of ${JSON.stringify(name)})`
  }
  return null
}

/** The drive or share of `\folder`. @param base absolute */
export function windowsVolume(base: string): string {
  return /^(?:[/\\]{2}\?[/\\])?(?:[A-Za-z]:|[/\\]{2}[^/\\]+[/\\]+[^/\\]+)/.exec(base)?.[0] ?? ''
}

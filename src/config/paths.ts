// Paths without Node: the default data directory, and how a path is joined and made absolute on each platform.
import { windowsVolume } from './windows-path'

/** What configuration needs to know about the computer; the front door supplies it. */
export interface Surroundings {
  /** Node's platform name: `linux`, `darwin`, `win32`, ... */
  readonly platform: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The user's home folder, absolute. */
  readonly homeDir: string
  /** Base of relative paths on the command line and in the environment. */
  readonly workingDir: string
}

/** The platform's application-data folder + `headframe`. */
export function defaultDataDir({ platform, environment, homeDir }: Surroundings): string {
  const join = (...parts: readonly string[]): string => joinPath(platform, ...parts)
  if (platform === 'win32') return join(environment.APPDATA ?? join(homeDir, 'AppData', 'Roaming'), 'headframe')
  if (platform === 'darwin') return join(homeDir, 'Library', 'Application Support', 'headframe')
  const dataHome = environment.XDG_DATA_HOME ?? ''
  return join(dataHome.startsWith('/') ? dataHome : join(homeDir, '.local', 'share'), 'headframe')
}

/** Where clef keeps keys and vault; `headframe signer` uses the same folders when it runs alone. */
export function familySignerFolders({ platform, environment, homeDir }: Surroundings): {
  readonly keystore: string
  readonly configDir: string
} {
  const join = (...parts: readonly string[]): string => joinPath(platform, ...parts)
  if (platform === 'win32') {
    const local = environment.LOCALAPPDATA ?? join(homeDir, 'AppData', 'Local')
    const roaming = environment.APPDATA ?? join(homeDir, 'AppData', 'Roaming')
    return { keystore: join(local, 'Parallax', 'keystore'), configDir: join(roaming, 'Signer') }
  }
  if (platform === 'darwin') {
    const library = join(homeDir, 'Library')
    return { keystore: join(library, 'Parallax', 'keystore'), configDir: join(library, 'Signer') }
  }
  return { keystore: join(homeDir, '.parallax', 'keystore'), configDir: join(homeDir, '.clef') }
}

/** The parts joined with the platform's separator. */
export function joinPath(platform: string, ...parts: readonly string[]): string {
  const separator = platform === 'win32' ? '\\' : '/'
  return parts.map((part, index) => (index === 0 ? part.replace(/[/\\]$/, '') : part)).join(separator)
}

/** A name without a folder. */
export function isBareName(path: string): boolean {
  return path !== '' && path !== '~' && !/[/\\]/.test(path)
}

/** Absolute paths as they are, `~/` in the home folder, others from `base` (Windows: `\folder` on its drive). */
export function absolutePath(path: string, base: string, { platform, homeDir }: Surroundings): string {
  if (path === '~') return homeDir
  if (/^~[/\\]/.test(path)) return joinPath(platform, homeDir, path.slice(2))
  if (platform === 'win32' && /^[/\\](?![/\\])/.test(path)) return `${windowsVolume(base)}${path}`
  const isAbsolute = platform === 'win32' ? /^([A-Za-z]:[/\\]|[/\\]{2})/.test(path) : path.startsWith('/')
  return isAbsolute ? path : joinPath(platform, base, path.replace(/^\.[/\\]/, ''))
}

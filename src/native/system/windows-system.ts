// Windows-only calls that Node has no function for, through the addon.
import { loadAddon } from '../loader'

/** What the Windows addon offers. */
export interface WindowsSystem {
  /**
   * Restricts a folder, and everything created below it later, to this user, the system and administrators.
   * @returns empty on success, else what failed: the file systems of USB sticks have no access rules
   */
  protectFolder(path: string): string
  /**
   * Restricts a named pipe of this process, `\\.\pipe\NAME`, in the same way once it listens: by default Windows lets every user open
   * it for reading. Connects to the pipe once.
   * @returns empty on success, else what failed
   */
  protectPipe(name: string): string
  /** When a process began, in units of 100 ns; 0n when it doesn't exist or can't be queried. */
  processStart(pid: number): bigint
}

/** Null on other systems, and without the addon. @param searchFrom as for `loadAddon` */
export function windowsSystem(searchFrom: string): WindowsSystem | null {
  if (process.platform !== 'win32') return null
  const loaded = loadAddon({ searchFrom })
  if ('error' in loaded) return null
  const { protectFolder, protectPipe, processStart } = loaded.addon
  if (protectFolder === undefined || protectPipe === undefined || processStart === undefined) return null
  return { protectFolder, protectPipe, processStart }
}

// What Windows alone is asked for, through the addon: Node has no function for it.
import { loadAddon } from '../loader'

export interface WindowsSystem {
  /**
   * Lets this user, the system and its administrators into a folder and into all that will lie below it, and nobody else.
   * @returns empty when done, else what failed: file systems of memory sticks have no such rules
   */
  protectFolder(path: string): string
  /** When a process began, in units of 100 ns; 0n when there is none, or it can't be told. */
  processStart(pid: number): bigint
}

/** Null on other systems, and without the addon. @param searchFrom as for `loadAddon` */
export function windowsSystem(searchFrom: string): WindowsSystem | null {
  if (process.platform !== 'win32') return null
  const loaded = loadAddon({ searchFrom })
  if ('error' in loaded) return null
  const { protectFolder, processStart } = loaded.addon
  return protectFolder === undefined || processStart === undefined ? null : { protectFolder, processStart }
}

// Folders for the owner only: by mode 0700, and by access rules on Windows, where modes are not kept.
import { chmodSync, mkdirSync } from 'node:fs'
import { type WindowsSystem, windowsSystem } from './windows-system'

/**
 * Makes a folder and those above it that are missing. One that was there keeps who may enter it.
 * @param system Windows' access rules; null where modes do
 * @returns what keeps others from being shut out; empty when nothing does
 * @throws the file system's error
 */
export function makeOwnerFolder(
  path: string,
  system: WindowsSystem | null = windowsSystem(import.meta.dirname),
): string {
  const made = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (made === undefined) return ''
  chmodSync(path, 0o700) // the umask takes away, and may take too much
  // What lies below inherits: the folder itself is enough, and the ones above it may be of others.
  return system?.protectFolder(path) ?? ''
}

// Owner-only folders: by mode 0700, and by an ACL on Windows, where modes don't apply.
import { chmodSync, mkdirSync } from 'node:fs'
import { type WindowsSystem, windowsSystem } from './windows-system'

/**
 * Creates a folder and its missing parents. An existing folder keeps its permissions.
 * @param system Windows' access rules; null where modes apply
 * @returns why others couldn't be shut out; empty on success
 * @throws the file system's error
 */
export function makeOwnerFolder(
  path: string,
  system: WindowsSystem | null = windowsSystem(import.meta.dirname),
): string {
  const made = mkdirSync(path, { recursive: true, mode: 0o700 })
  if (made === undefined) return ''
  chmodSync(path, 0o700) // the umask may have removed bits, even too many
  // Contents inherit the rule: setting it on the folder is enough, and the parents may belong to others.
  return system?.protectFolder(path) ?? ''
}

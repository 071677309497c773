// Owner-only folders: by mode 0700, and by an ACL on Windows, where modes don't apply.
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
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
  if (!makeFolders(resolve(path))) return ''
  chmodSync(path, 0o700) // the umask may have removed bits, even too many
  // Contents inherit the rule: setting it on the folder is enough, and the parents may belong to others.
  return system?.protectFolder(path) ?? ''
}

/**
 * One after another: Node's own `recursive` never ends where a file system denies a folder's existence, as /proc does.
 * @returns false when the folder was there
 */
function makeFolders(path: string): boolean {
  if (existsSync(path) && statSync(path).isDirectory()) return false
  if (dirname(path) !== path && !existsSync(dirname(path))) makeFolders(dirname(path))
  mkdirSync(path, { mode: 0o700 })
  return true
}

// Path of the signer's local socket: the family's --ipcpath rules.
import { basename, isAbsolute, join, resolve } from 'node:path'

const NAME = 'clef.ipc'

/**
 * @param given a folder, a socket's path (ends in `.ipc`), a bare name inside `configDir`, or null for the default
 * @param platform Node's name of it; on Windows sockets are named pipes
 */
export function ipcSocketPath(given: string | null, configDir: string, platform: string): string {
  if (platform === 'win32') return given?.startsWith('\\\\.\\pipe\\') === true ? given : `\\\\.\\pipe\\${given ?? NAME}`
  if (given === null) return resolve(configDir, NAME)
  const isFile = given.endsWith('.ipc')
  if (isFile && basename(given) === given) return resolve(configDir, given)
  const path = isAbsolute(given) ? given : resolve(given)
  return isFile ? path : join(path, NAME)
}

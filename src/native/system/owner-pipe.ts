// Named pipes that only their owner may open: Windows has no file modes for them.
import { windowsSystem } from './windows-system'

/**
 * Restricts a listening pipe of this process to this user, the system and administrators. Without the addon the pipe keeps the
 * Windows default: other users may open it, but not write to it.
 * @param name `\\.\pipe\NAME`
 * @returns empty on success and on other systems, else what failed
 */
export function protectPipe(name: string): string {
  return windowsSystem(import.meta.dirname)?.protectPipe(name) ?? ''
}

// Datagrams to a local socket by the addon, for the protocol of service managers.
import { loadAddon } from './loader'

/**
 * Sends one; empty when it was sent, else why not. Never waits.
 * @param socket path, or a name with `@` first
 */
export type SendNotice = (socket: string, text: string) => string

/** @param searchFrom absolute path of a folder; see `loadAddon` */
export function noticeSender(searchFrom: string): SendNotice {
  const loaded = loadAddon({ searchFrom })
  if ('error' in loaded) return () => loaded.error
  const { addon, path } = loaded
  return addon.sendNotice ?? (() => `${path} was built before it could send them; run: npm run build:native`)
}

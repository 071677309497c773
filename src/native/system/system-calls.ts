// System calls that Node lacks, by the addon: datagrams to a local socket, two paths that change places.
import { loadAddon } from '../loader'

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

/** Empty when they did, else why not. Both exist, on one file system. */
export type ExchangePaths = (one: string, other: string) => string

/** @param searchFrom absolute path of a folder; see `loadAddon` */
export function pathExchange(searchFrom: string): ExchangePaths {
  const loaded = loadAddon({ searchFrom })
  if ('error' in loaded) return () => loaded.error
  const { addon, path } = loaded
  return addon.exchangePaths ?? (() => `${path} was built before it could; run: npm run build:native`)
}

// System calls that Node lacks, through the addon: datagrams to a local socket, swapping two paths, sharing heaps, and
// memory that isn't dumped.
import { loadAddon } from '../loader'

/** Empty when it was sent, else the reason; never waits. @param socket path, or an abstract name with leading `@` */
export type SendNotice = (socket: string, text: string) => string

/** @param searchFrom absolute path of a folder; see `loadAddon` */
export function noticeSender(searchFrom: string): SendNotice {
  const loaded = loadAddon({ searchFrom })
  if ('error' in loaded) return () => loaded.error
  const { addon, path } = loaded
  return addon.sendNotice ?? (() => `${path} was built before it could send them; run: npm run build:native`)
}

/** Empty on success, else the reason. Both paths must exist, on one file system. */
type ExchangePaths = (one: string, other: string) => string

/** @param searchFrom absolute path of a folder; see `loadAddon` */
export function pathExchange(searchFrom: string): ExchangePaths {
  const loaded = loadAddon({ searchFrom })
  if ('error' in loaded) return () => loaded.error
  const { addon, path } = loaded
  return addon.exchangePaths ?? (() => `${path} was built before it could; run: npm run build:native`)
}

/**
 * Has threads that start later share heaps of the C library, of which glibc otherwise keeps one per thread: memory that
 * one thread has freed can then serve the others. Nothing happens elsewhere, or without the addon.
 * @param most heaps @param searchFrom absolute path of a folder; see `loadAddon`
 */
export function shareHeaps(most: number, searchFrom: string): void {
  const loaded = loadAddon({ searchFrom })
  if ('addon' in loaded) loaded.addon.shareHeaps?.(most)
}

/** Keeps this process's memory out of core files, permanently. Empty on success, else the reason. */
export function denyDumps(searchFrom: string): string {
  const loaded = loadAddon({ searchFrom })
  if ('error' in loaded) return loaded.error
  return loaded.addon.denyDumps?.() ?? `${loaded.path} was built before it could; run: npm run build:native`
}

/** Keeps bytes out of swap space, where that is possible. @param searchFrom absolute path of a folder; see `loadAddon` */
export function lockMemory(searchFrom: string, bytes: Uint8Array): void {
  const loaded = loadAddon({ searchFrom })
  if ('addon' in loaded) loaded.addon.lockMemory?.(bytes)
}

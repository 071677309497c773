// The servers that the full tier unpacks without installing them: `tools/lib/debian.mjs`.
import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'

export const SERVERS = resolve(import.meta.dirname, '../.cache/servers')

/** The path of a program that is in PATH, or unpacked; null: neither. */
export function findServer(program: string): string | null {
  const inPath = (process.env.PATH ?? '').split(delimiter)
  const folders = [...inPath, '/usr/sbin', '/usr/local/sbin', join(SERVERS, 'usr/sbin'), join(SERVERS, 'usr/bin')]
  return folders.map((at) => join(at, program)).find((path) => existsSync(path)) ?? null
}

// Supplies, from Node's own modules, what Node 16 lacks. The build puts it before each entry of the host side (build.ts).
import { execFile } from 'node:child_process'
import crypto, { type BinaryToTextEncoding, createHash, webcrypto } from 'node:crypto'
import files from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'

function supply(to: object, name: string, value: unknown): void {
  if (name in to) return
  Object.defineProperty(to, name, { value, configurable: true, writable: true })
}

// Required by @noble's key and nonce helpers.
supply(globalThis, 'crypto', webcrypto)
supply(globalThis, 'structuredClone', (value: unknown): unknown => deserialize(serialize(value)))
supply(crypto, 'hash', (algorithm: string, data: Uint8Array, encoding: BinaryToTextEncoding = 'hex'): string =>
  createHash(algorithm).update(data).digest(encoding),
)
supply(files, 'statfs', freeSpace)

const DF_TIMEOUT_MS = 5_000
const KIB = 1024

/** The part of `statfs` that the program reads, from `df -Pk`. Source: POSIX.1-2017, df, "STDOUT". Rejects when that gives no number. */
export function freeSpace(folder: string): Promise<{ readonly bavail: number; readonly bsize: number }> {
  return new Promise((resolve, reject) => {
    execFile('df', ['-Pk', folder], { timeout: DF_TIMEOUT_MS }, (error, output) => {
      const available = dfAvailable(output)
      if (error === null && available !== null) resolve({ bavail: available, bsize: KIB })
      else reject(error ?? new Error(`df gives no number: ${output}`))
    })
  })
}

/** In units of 1024 bytes; null without a number. @param output of `df -Pk` for one folder */
export function dfAvailable(output: string): number | null {
  const [, , , available] = (output.trim().split('\n')[1] ?? '').split(/\s+/)
  return available !== undefined && /^\d+$/.test(available) ? Number(available) : null
}

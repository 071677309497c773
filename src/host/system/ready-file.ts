// The ready file: tells scripts the addresses, once everything listens.
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { reasonOf } from '../../base/errors'
import type { Service } from '../../base/lifecycle'
import { HostError } from '../errors'

/** A service that is off is null. Addresses are `host:port`. */
export interface ReadyInfo {
  readonly pid: number
  readonly network: string
  readonly chainId: number
  readonly api: string | null
  readonly http: string | null
  readonly ws: string | null
  readonly p2p: string | null
  readonly stratum: string | null
  readonly signer: { readonly http: string | null; readonly ipc: string | null } | null
  readonly dashboard: string | null
}

/**
 * Written atomically; `-` prints one line instead.
 * @throws HostError HOST_READY_FILE_FAILED
 */
export function writeReadyFile(file: string, info: ReadyInfo, standardOutput: (line: string) => void): void {
  const text = JSON.stringify(info)
  if (file === '-') {
    standardOutput(text)
    return
  }
  const partial = `${file}.${info.pid}.partial`
  try {
    // The folder may be shared: an existing file with our name is removed, never written through.
    rmSync(partial, { force: true })
    writeFileSync(partial, `${text}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    throw new HostError('HOST_READY_FILE_FAILED', { file, reason: reasonOf(error) }, { cause: error })
  }
}

/**
 * Removes the file on stop, and at startup the leftover of a killed run, so that its addresses aren't mistaken for
 * those of a running program.
 */
export class ReadyFile implements Service {
  readonly name = 'ready-file'

  /** @param file null: none; `-`: standard output */
  constructor(private readonly file: string | null) {}

  /** @throws HostError HOST_READY_FILE_FAILED */
  async start(): Promise<void> {
    this.#remove()
  }

  /** @throws HostError HOST_READY_FILE_FAILED */
  async stop(): Promise<void> {
    this.#remove()
  }

  #remove(): void {
    const file = this.file
    if (file === null || file === '-') return
    try {
      // A link to nothing is removed, and one to a file; /dev/stdout is one to a device.
      const found = statSync(file, { throwIfNoEntry: false })
      if (found !== undefined && !found.isFile())
        throw new Error('it is no plain file, and stays as it is: name another one, or - for standard output')
      rmSync(file, { force: true })
    } catch (error) {
      throw new HostError('HOST_READY_FILE_FAILED', { file, reason: reasonOf(error) }, { cause: error })
    }
  }
}

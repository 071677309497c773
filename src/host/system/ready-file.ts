// The ready file: tells a script where everything listens, once everything does.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { messageOf } from '../../base/errors'
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
  readonly signer: { readonly http: string | null; readonly ipc: string | null } | null
  readonly dashboard: string | null
}

/**
 * Writes it whole or not at all; `-` prints one line instead.
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
    // The folder may be anybody's: what lies there under our name is removed, never written through.
    rmSync(partial, { force: true })
    writeFileSync(partial, `${text}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(partial, file)
  } catch (error) {
    rmSync(partial, { force: true })
    throw new HostError('HOST_READY_FILE_FAILED', { file, reason: messageOf(error) }, { cause: error })
  }
}

/**
 * Removes the file at a stop, and at startup what a killed run left behind, so that nobody takes addresses for those of a running
 * program.
 */
export class ReadyFile implements Service {
  readonly name = 'ready-file'
  readonly #file: string | null

  /** @param file null: none is written; `-`: standard output */
  constructor(file: string | null) {
    this.#file = file
  }

  /** @throws HostError HOST_READY_FILE_FAILED */
  async start(): Promise<void> {
    this.#remove()
  }

  /** @throws HostError HOST_READY_FILE_FAILED */
  async stop(): Promise<void> {
    this.#remove()
  }

  #remove(): void {
    const file = this.#file
    if (file === null || file === '-') return
    try {
      rmSync(file, { force: true })
    } catch (error) {
      throw new HostError('HOST_READY_FILE_FAILED', { file, reason: messageOf(error) }, { cause: error })
    }
  }
}

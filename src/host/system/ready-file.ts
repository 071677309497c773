// The ready file: tells scripts the addresses, once everything listens.
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { reasonOf } from '../../base/errors'
import { jsonOrNull } from '../../base/json-text'
import type { Service } from '../../base/lifecycle'
import { HostError } from '../errors'
import { isAlive, ownMark, type ProcessMark } from './lock'

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

/** In the file besides: tells its writer apart from a later process with the same number. */
const writerSchema = z.object({ pid: z.number(), startMark: z.string() })

/** One run's file: removed on stop, and at the start after a killed run; another running program's is left alone. */
export class ReadyFile implements Service {
  readonly name = 'ready-file'
  /** @param file null: none; `-`: one line on standard output */
  constructor(
    private readonly file: string | null,
    private readonly standardOutput: (line: string) => void,
    private readonly self = ownMark(),
  ) {}

  /** @throws HostError HOST_READY_FILE_FAILED, also when it is another running program's */
  async start(): Promise<void> {
    this.#onFile((file) => {
      const writer = this.#writer(file)
      if (writer !== null && isAlive(writer))
        throw new Error(`process ${writer.pid} wrote it and still runs: name another file`)
      rmSync(file, { force: true })
    })
  }

  /** Once everything listens, at once as a whole. @throws HostError HOST_READY_FILE_FAILED */
  write(info: ReadyInfo): void {
    if (this.file === '-') this.standardOutput(JSON.stringify(info))
    this.#onFile((file) => {
      const partial = `${file}.${this.self.pid}.partial`
      try {
        // The folder may be shared: an existing file with our name is removed, never written through.
        rmSync(partial, { force: true })
        writeFileSync(partial, `${JSON.stringify({ ...info, ...this.self })}\n`, { mode: 0o600, flag: 'wx' })
        renameSync(partial, file)
      } catch (error) {
        rmSync(partial, { force: true })
        throw error
      }
    })
  }

  /** @throws HostError HOST_READY_FILE_FAILED */
  async stop(): Promise<void> {
    this.#onFile((file) => {
      if (this.#writer(file) === null) rmSync(file, { force: true })
    })
  }

  #onFile(work: (file: string) => void): void {
    const { file } = this
    if (file === null || file === '-') return
    try {
      work(file)
    } catch (error) {
      throw new HostError('HOST_READY_FILE_FAILED', { file, reason: reasonOf(error) }, { cause: error })
    }
  }

  /** Who else wrote it; null for none, and for an earlier version's file. @throws Error unless it is a plain file */
  #writer(file: string): ProcessMark | null {
    // A link to nothing is removed, and one to a file; /dev/stdout is one to a device.
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return null
    if (!found.isFile())
      throw new Error('it is no plain file, and stays as it is: name another one, or - for standard output')
    const writer = writerSchema.safeParse(jsonOrNull(readFileSync(file, 'utf8'))).data ?? null
    const isOwn = writer?.pid === this.self.pid && writer.startMark === this.self.startMark
    return isOwn ? null : writer
  }
}

// The practice network's own account and genesis. The genesis gives all funds to an account created at the first start,
// so it belongs to the data directory: the account's address, and what searched first, are recorded beside the chain.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { bytesOfHex } from '../../base/hex'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { readJson, writeJson } from '../../files/json-file'
import type { XhashEngine } from '../../native/xhash-port'
import { type PracticeSearcher, practiceGenesis } from '../../node/networks'
import type { SignerService } from '../../signer/signer-service'
import { HostError } from '../errors'
import type { DataDirPaths } from '../system/data-dir'

const SEARCHERS = ['none', 'paced', 'gpu', 'scalar', 'avx2', 'avx512'] as const satisfies readonly PracticeSearcher[]

const recordSchema = z.object({
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  /** Absent in older records: the engine's level. */
  searcher: z.enum(SEARCHERS).optional(),
})
type PracticeRecord = z.infer<typeof recordSchema>

/** Creates the account and keeps its key. */
export type AccountMaker = Pick<SignerService, 'createAccount'>

interface PracticeSetupDeps {
  readonly maker: AccountMaker
  readonly simd: XhashEngine['simd']
  /** True when a GPU will mine. Asked once, for a new network: its chain starts with a difficulty that fits. */
  readonly hasGpu: (signal: AbortSignal) => Promise<boolean>
  readonly log: Logger
  readonly randomBytes: (length: number) => Uint8Array
}

/** Started after the signer and before the node; `genesis` and `account` are available from then on. */
export class PracticeNetwork implements Service {
  readonly name = 'practice-account'
  readonly #recordFile: string
  #record: PracticeRecord | null = null

  constructor(
    private readonly paths: DataDirPaths,
    private readonly deps: PracticeSetupDeps,
  ) {
    this.#recordFile = join(paths.root, 'practice.json')
  }

  /** @throws HostError HOST_PRACTICE_RECORD_BROKEN, what the signer throws for an unwritable keystore */
  async start(signal: AbortSignal): Promise<void> {
    this.#record = this.#remembered() ?? (await this.#make(signal))
  }

  async stop(): Promise<void> {
    this.#record = null
  }

  /** Address that the genesis gives its funds to; null before start. */
  get account(): Uint8Array | null {
    return this.#record === null ? null : bytesOfHex(this.#record.address, 20)
  }

  /** Genesis file (JSON text) of this data directory's network; null before start. */
  get genesis(): string | null {
    if (this.#record === null) return null
    const { address, searcher = this.deps.simd } = this.#record
    return practiceGenesis(bytesOfHex(address, 20), searcher)
  }

  #remembered(): PracticeRecord | null {
    try {
      return readJson(this.#recordFile, recordSchema)
    } catch (error) {
      throw new HostError('HOST_PRACTICE_RECORD_BROKEN', { file: this.#recordFile }, { cause: error })
    }
  }

  async #make(signal: AbortSignal): Promise<PracticeRecord> {
    const { maker, log, randomBytes, simd, hasGpu } = this.deps
    const cpu = simd === 'none' ? simd : 'paced'
    const searcher = (await hasGpu(signal)) ? 'gpu' : cpu
    const password = newPracticePassword(randomBytes)
    // The password, 100 random bits, is beside the key: a slow derivation would protect nothing, at each use.
    const address = await maker.createAccount(new TextEncoder().encode(password), 'light')
    const file = writePracticeAccount(this.paths.practiceAccountFile, { address, password })
    writeJson(this.#recordFile, { address, searcher })
    log.info('practice account created', { address, file })
    return { address, searcher }
  }
}

/** 20 characters out of 32: 100 bits. Without the ambiguous 0, o, 1 and l. */
const PASSWORD_LENGTH = 20
const PASSWORD_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'

/** @param randomBytes cryptographically strong */
export function newPracticePassword(randomBytes: (length: number) => Uint8Array): string {
  return [...randomBytes(PASSWORD_LENGTH)].map((byte) => PASSWORD_LETTERS.charAt(byte % 32)).join('')
}

/** Where a newcomer finds the first account's password. Mode 0600; never overwrites the file of an earlier practice network. @returns its path */
export function writePracticeAccount(
  file: string,
  account: { readonly address: string; readonly password: string },
): string {
  const text = [
    'Practice money only: this account exists on the practice network of this data directory and nowhere else.',
    'The program made it at its first start so that you have something to send. Nothing of value is at stake.',
    '',
    `address:  ${account.address}`,
    `password: ${account.password}`,
    '',
  ]
  const free = existsSync(file) ? file.replace(/\.txt$/, `-${account.address.slice(2, 10)}.txt`) : file
  writeFileSync(free, text.join('\n'), { mode: 0o600, flag: 'wx' })
  return free
}

// The practice network's own account and genesis. The genesis gives all funds to an account created at the first start,
// so it belongs to the data directory: the account's address is recorded beside the chain.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { bytesOfHex } from '../../base/hex'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { XhashEngine } from '../../native/xhash-port'
import { practiceGenesis } from '../../node/networks'
import type { SignerService } from '../../signer/signer-service'
import { HostError } from '../errors'
import { newPracticePassword, writePracticeAccount } from '../signer/practice-account'
import type { DataDirPaths } from '../system/data-dir'

const recordSchema = z.object({ address: z.string().regex(/^0x[0-9a-fA-F]{40}$/) })

/** Creates the account and keeps its key. */
export type AccountMaker = Pick<SignerService, 'createAccount'>

export interface PracticeSetupDeps {
  readonly maker: AccountMaker
  /** The engine that will search first: a new chain starts with a difficulty it can meet. */
  readonly simd: XhashEngine['simd']
  readonly log: Logger
  readonly randomBytes: (length: number) => Uint8Array
}

/** Started after the signer and before the node; `genesis` and `account` are available from then on. */
export class PracticeNetwork implements Service {
  readonly name = 'practice-account'
  readonly #paths: DataDirPaths
  readonly #deps: PracticeSetupDeps
  readonly #recordFile: string
  #address: string | null = null

  constructor(paths: DataDirPaths, deps: PracticeSetupDeps) {
    this.#paths = paths
    this.#deps = deps
    this.#recordFile = join(paths.root, 'practice.json')
  }

  /** @throws HostError HOST_PRACTICE_RECORD_BROKEN, what the signer throws for an unwritable keystore */
  async start(): Promise<void> {
    this.#address = this.#remembered() ?? (await this.#make())
  }

  async stop(): Promise<void> {
    this.#address = null
  }

  /** Address that the genesis gives its funds to; null before start. */
  get account(): Uint8Array | null {
    return this.#address === null ? null : bytesOfHex(this.#address, 20)
  }

  /** Genesis file (JSON text) of this data directory's network; null before start. */
  get genesis(): string | null {
    const account = this.account
    return account === null ? null : practiceGenesis(account, this.#deps.simd)
  }

  #remembered(): string | null {
    if (!existsSync(this.#recordFile)) return null
    try {
      return recordSchema.parse(JSON.parse(readFileSync(this.#recordFile, 'utf8'))).address
    } catch (error) {
      throw new HostError('HOST_PRACTICE_RECORD_BROKEN', { file: this.#recordFile }, { cause: error })
    }
  }

  async #make(): Promise<string> {
    const { maker, log, randomBytes } = this.#deps
    const password = newPracticePassword(randomBytes)
    // The password is 100 random bits stored beside the key: a slow derivation would protect nothing, and would be
    // repeated at each use.
    const address = await maker.createAccount(new TextEncoder().encode(password), 'light')
    const file = writePracticeAccount(this.#paths.practiceAccountFile, { address, password })
    const partial = `${this.#recordFile}.partial`
    writeFileSync(partial, `${JSON.stringify({ address })}\n`, { mode: 0o600 })
    renameSync(partial, this.#recordFile)
    log.info('practice account created', { address, file })
    return address
  }
}

// Whoever holds this holds the vault: the keys of stored passwords, attestations and policies. The key process runs it for
// a signer; a command runs it in its own process, where the master password was typed anyway.
import { z } from 'zod'
import { approvedChangeHash, changeText, type SealedPassword, scriptCapSchema } from '../base/approvals'
import { secretCopy, wipe } from '../base/bytes'
import { checksumAddress } from '../base/checksum-address'
import { hasCode } from '../base/errors'
import type { Clock } from '../base/time'
import { resultOf } from '../base/wire/define'
import { KeystoreError, VaultError } from './errors'
import { requirePolicy } from './keystore/create-account'
import { AttemptLimit } from './keystore/derivation-limits'
import { PolicyBook, type SignedThing } from './rules/policy-book'
import type { Uptime } from './rules/policy-clock'
import type { RecordPlace } from './vault/journal-book'
import { openValue, type SealedValue, sealValue } from './vault/sealed-values'
import { newSeedText, openSeedText, type VaultKeys, vaultKeysOf } from './vault/seed-text'
import type { GivenPassword, VaultHandlers, VaultPort } from './vault-wire'

const ATTESTED_RULES = 'ruleset_sha256'
const MASTER = 'the master seed'
const MOST_PROVEN = 16

export interface VaultKeeperDeps {
  readonly clock: Clock
  readonly uptime: Uptime
  readonly randomBytes: (length: number) => Uint8Array
  /** Opens what a page sealed for one content, once. @throws KeystoreError KEYSTORE_APPROVAL_* */
  readonly unseal: (sealed: SealedPassword, content: string) => Uint8Array
  /** @throws KeystoreError as opening the key file */
  readonly verify: (key: {
    readonly keyFile: string
    readonly address: string
    readonly password: Uint8Array
  }) => Promise<void>
}

interface OpenVault {
  readonly keys: VaultKeys
  readonly seedFile: string
  readonly policies: PolicyBook
  /** The caller has seen the master password, and could open the seed itself. */
  readonly isCallerTrusted: boolean
}

interface StoredUse extends SignedThing {
  readonly address: string
  readonly value: SealedValue
  /** `rule`: a policy or a script approved the request; `streams`: the program on the standard streams did. */
  readonly by: 'rule' | 'streams'
  readonly request: string
}

/** Opened by `vaultOpen`; what it gives out is listed in `vault-wire.ts`. */
export class VaultKeeper {
  readonly handlers: VaultHandlers
  readonly #attempts: AttemptLimit
  readonly #proven = new Set<string>()
  /** What was read last of each vault's journal, also after it was closed. */
  readonly #ends = new Map<string, () => readonly RecordPlace[]>()
  #open: OpenVault | null = null

  constructor(private readonly deps: VaultKeeperDeps) {
    this.#attempts = new AttemptLimit(deps.clock)
    this.handlers = { ...this.#ofSeed(), ...this.#ofSecrets(), ...this.#ofPolicies() }
  }

  get port(): VaultPort {
    const { handlers } = this
    const never = new AbortController().signal
    return { call: (name, params) => resultOf(handlers[name](params, never)) }
  }

  close(): void {
    const open = this.#open
    this.#open = null
    this.#proven.clear()
    if (open === null) return
    for (const key of Object.values(open.keys)) if (key instanceof Uint8Array) wipe(key)
  }

  /**
   * A stored password, for what a policy or a script's cap covered, or a trusted caller asks.
   * @returns bytes that the caller wipes; then either `undo`, when nothing was signed, or `done`
   * @throws KeystoreError KEYSTORE_NOT_ALLOWED, KEYSTORE_APPROVAL_OTHER, VaultError SIGNER_VAULT_CLOSED, SIGNER_VAULT_UNUSABLE
   */
  takePassword({ address, value, by, request, ...what }: StoredUse) {
    const { keys, policies, isCallerTrusted } = this.#present()
    const right = by === 'rule' ? policies.take(request, address, what) : null
    if (right === null && !(by === 'streams' && isCallerTrusted)) {
      throw new KeystoreError('KEYSTORE_NOT_ALLOWED', { address })
    }
    const { undo, done } = right ?? { undo: () => undefined, done: () => undefined }
    const password = openValue(keys.credentials, checksumAddress(address), value)
    if (password !== null) return { password, undo, done }
    undo()
    throw new VaultError('SIGNER_VAULT_UNUSABLE', { file: '', reason: CHANGED })
  }

  #ofSeed(): Pick<VaultHandlers, 'vaultCreate' | 'vaultOpen' | 'vaultClose' | 'vaultProve'> {
    const { randomBytes } = this.deps
    return {
      vaultCreate: ({ password, strength }) =>
        this.#with(password, changeText({ change: 'init' }), async (bytes) => {
          requirePolicy(bytes)
          return { seedFile: await newSeedText(bytes, strength, randomBytes) }
        }),
      vaultOpen: ({ seedFile, password }) =>
        this.#with(password, changeText({ change: 'unlock' }), async (bytes) => {
          const keys = vaultKeysOf(await this.#seed(seedFile, bytes))
          this.close()
          const ends = this.#ends.get(keys.folder)?.() ?? []
          const policies = new PolicyBook({ ...this.deps, keys, ends })
          this.#ends.set(keys.folder, () => policies.ends)
          this.#open = { keys, seedFile, policies, isCallerTrusted: password.kind === 'plain' }
          return { folder: keys.folder, scriptKey: secretCopy(keys.scripts), auditKey: secretCopy(keys.audit) }
        }),
      vaultClose: () => this.close(),
      vaultProve: ({ change, password }) =>
        this.#with(password, change, async (bytes) => {
          wipe(await this.#seed(this.#present().seedFile, bytes))
          const [oldest] = this.#proven
          if (this.#proven.size >= MOST_PROVEN && oldest !== undefined) this.#proven.delete(oldest)
          this.#proven.add(approvedChangeHash(change))
        }),
    }
  }

  #ofSecrets(): Pick<VaultHandlers, 'vaultStore' | 'vaultAttest' | 'vaultAttested'> {
    const { randomBytes, verify } = this.deps
    return {
      vaultStore: ({ change, keyFile, address, password }) =>
        this.#with(password, change, async (bytes) => {
          const { keys } = this.#present()
          this.#requireProven(change, { change: 'store', address })
          if (keyFile !== null) await verify({ keyFile, address, password: secretCopy(bytes) })
          return { value: sealValue(keys.credentials, checksumAddress(address), { value: bytes, randomBytes }) }
        }),
      vaultAttest: ({ change }) => {
        const { keys, policies } = this.#present()
        const { sha256, ...cap } = attestShape.parse(JSON.parse(change))
        this.#requireProven(change, { change: 'attest', sha256, ...cap })
        const value = new TextEncoder().encode(sha256)
        const made = policies.attest({ sha256, ...cap })
        return { value: sealValue(keys.config, ATTESTED_RULES, { value, randomBytes }), made }
      },
      vaultAttested: ({ value }) => {
        const found = this.#attestedBy(value)
        return found === null
          ? { fault: 'changed', script: null, made: null }
          : { fault: 'other', ...this.#present().policies.attested(found) }
      },
    }
  }

  #ofPolicies(): Pick<VaultHandlers, Extract<keyof VaultHandlers, `journal${string}` | `policy${string}`>> {
    const book = (): PolicyBook => this.#present().policies
    return {
      journalRead: ({ text, earlier, vouched }) => book().read(text, earlier, vouched),
      journalRestore: ({ change, text, vouched }) => {
        this.#requireProven(change, { change: 'restore' })
        return book().restore(text, vouched)
      },
      journalCompact: () => ({ made: book().compact() }),
      policyList: () => book().list(),
      policyChange: ({ change, isTrial }) =>
        book().change(change, { isTrial, isProven: () => this.#proven.delete(approvedChangeHash(change)) }),
      policyJudge: (input) => book().judge(input),
      policyJudgeScript: (input) => book().judgeScript(input),
      policyReturn: ({ request }) => ({ made: book().giveBack(request) }),
      policyNonce: (input) => ({ made: book().sawNonce(input) }),
    }
  }

  /** @throws VaultError SIGNER_VAULT_CLOSED */
  #present(): OpenVault {
    if (this.#open === null) throw new VaultError('SIGNER_VAULT_CLOSED', undefined)
    return this.#open
  }

  /** @param wanted what the change has to say @throws VaultError SIGNER_MASTER_NEEDED */
  #requireProven(change: string, wanted: Readonly<Record<string, string | number>>): void {
    const isIt = changeText(JSON.parse(change)) === changeText(wanted)
    if (!this.#proven.delete(approvedChangeHash(change)) || !isIt) {
      throw new VaultError('SIGNER_MASTER_NEEDED', undefined)
    }
  }

  #attestedBy(value: SealedValue): string | null {
    const opened = openValue(this.#present().keys.config, ATTESTED_RULES, value)
    return opened === null ? null : new TextDecoder().decode(opened).toLowerCase()
  }

  /** @throws VaultError SIGNER_MASTER_PASSWORD, KeystoreError KEYSTORE_TOO_MANY_TRIES */
  async #seed(seedFile: string, password: Uint8Array): Promise<Uint8Array> {
    this.#attempts.check(MASTER)
    try {
      const seed = await openSeedText(seedFile, password)
      this.#attempts.succeeded(MASTER)
      return seed
    } catch (error) {
      if (!hasCode(error, 'KEYSTORE_WRONG_PASSWORD')) throw error
      this.#attempts.failed(MASTER)
      throw new VaultError('SIGNER_MASTER_PASSWORD', undefined)
    }
  }

  /** Runs with the bytes of a given password, and wipes them. @param change that a sealed one must be for */
  async #with<T>(given: GivenPassword, change: string, run: (password: Uint8Array) => Promise<T>): Promise<T> {
    const bytes = given.kind === 'plain' ? given.password : this.deps.unseal(given, approvedChangeHash(change))
    try {
      return await run(bytes)
    } finally {
      wipe(bytes)
    }
  }
}

const CHANGED = 'a value was changed or belongs to another vault'

/** A script's attestation, as the master password is given for it. */
const attestShape = scriptCapSchema
  .extend({ change: z.literal('attest'), sha256: z.string().regex(/^[0-9a-f]{64}$/) })
  .transform(({ change: _change, ...script }) => script)

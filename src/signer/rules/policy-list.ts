// A vault's policies, and what they have approved. Both are encrypted and bound to the vault, so that someone who can
// merely write files can't widen a policy. Counters survive a restart.
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { AuditEntry } from '../audit/audit-entry'
import { VaultError } from '../errors'
import type { Question } from '../ports'
import type { EncryptedStore } from '../vault/encrypted-store'
import { type Policy, parsePolicies, type VersionedPolicy, versionOf } from './policy'
import { asUse, matchPolicies, type Use } from './policy-match'
import { ASK, type Ruling } from './rule-script'

const POLICIES = 'policies'
const USES = 'uses'
const MATCHES = 'matches'
const LONGEST_PERIOD_MS = 8_760 * 3_600_000
const MAX_USES = 100_000

const useList = z.array(
  z.object({
    policy: z.string(),
    at: z.number(),
    wei: z.string(),
    hash: z.string(),
    // Missing in earlier versions.
    request: z.string().default(''),
    token: z.object({ contract: z.string(), amount: z.string() }).nullable().default(null),
  }),
)

const matchMap = z.record(z.string(), z.object({ count: z.number().int(), lastAt: z.number().int() }))

/** How often a policy has approved since it was made, and when last (UTC ms). */
export interface PolicyMatches {
  readonly id: string
  readonly count: number
  readonly lastAt: number
}

const signedBody = z.object({ tx: z.object({ hash: z.string() }) })

/** What the list uses. */
export interface PolicyListDeps {
  readonly storage: EncryptedStore
  readonly clock: Clock
  readonly log: Logger
  readonly record: (entry: AuditEntry) => Promise<void>
}

/** The policies of one vault. */
export class PolicyList {
  readonly #deps: PolicyListDeps
  /** Serialized: two concurrent requests must not both take what is left of a limit. */
  #tail: Promise<unknown> = Promise.resolve()

  constructor(deps: PolicyListDeps) {
    this.#deps = deps
  }

  /**
   * With the version that a change of each must name. @throws VaultError SIGNER_VAULT_UNUSABLE, SIGNER_POLICY_INVALID
   */
  async versioned(): Promise<readonly VersionedPolicy[]> {
    return (await this.policies()).map((policy) => ({ policy, version: versionOf(policy) }))
  }

  /** @throws VaultError SIGNER_VAULT_UNUSABLE, SIGNER_POLICY_INVALID */
  async policies(): Promise<readonly Policy[]> {
    const bytes = await this.#deps.storage.get(POLICIES)
    return bytes === null ? [] : parsePolicies(jsonOf(bytes))
  }

  /**
   * Replaces all policies. The change is recorded before it takes effect.
   * @param value from a form
   * @throws VaultError SIGNER_POLICY_INVALID, SIGNER_VAULT_UNUSABLE, SignerError SIGNER_AUDIT_UNWRITABLE
   */
  async save(value: unknown): Promise<readonly Policy[]> {
    const next = parsePolicies(value)
    return this.#changing(() => this.#write(next))
  }

  /**
   * Adds a policy, or replaces the one with its id, provided it is unchanged since it was read.
   * @param value one policy, from a form @param was the version it was based on; null = new
   * @throws VaultError SIGNER_POLICY_CHANGED, and as save
   */
  put(value: unknown, was: string | null): Promise<readonly VersionedPolicy[]> {
    return this.#changing(async () => {
      const [policy] = parsePolicies([value])
      if (policy === undefined) return this.versioned()
      const present = await this.#seen(policy.id, was)
      const isNew = present.every(({ id }) => id !== policy.id)
      const next = isNew ? [...present, policy] : present.map((each) => (each.id === policy.id ? policy : each))
      // Validated again as a whole: there may be too many.
      await this.#write(parsePolicies(next))
      return this.versioned()
    })
  }

  /** @param was the version it was based on @throws VaultError SIGNER_POLICY_CHANGED, and as save */
  remove(id: string, was: string): Promise<readonly VersionedPolicy[]> {
    return this.#changing(async () => {
      const present = await this.#seen(id, was)
      await this.#write(present.filter((policy) => policy.id !== id))
      return this.versioned()
    })
  }

  /** All policies, if the one with this id still has this version. */
  async #seen(id: string, was: string | null): Promise<readonly Policy[]> {
    const present = await this.policies()
    const found = present.find((policy) => policy.id === id)
    const version = found === undefined ? null : versionOf(found)
    if (version !== was) throw new VaultError('SIGNER_POLICY_CHANGED', { id })
    return present
  }

  async #write(next: readonly Policy[]): Promise<readonly Policy[]> {
    const text = JSON.stringify(next)
    await this.#deps.record({ type: 'settings', what: 'policies', detail: { policies: text } })
    await this.#deps.storage.change(new Map([[POLICIES, new TextEncoder().encode(text)]]))
    return next
  }

  /** What the policies have approved; those that never did are missing. @throws VaultError SIGNER_VAULT_UNUSABLE */
  async matches(): Promise<readonly PolicyMatches[]> {
    const counts = new Map(Object.entries(await this.#matches()))
    return (await this.policies()).flatMap(({ id }) => {
      const counted = counts.get(id)
      return counted === undefined ? [] : [{ id, ...counted }]
    })
  }

  /**
   * Deducts the amount from the policy's limits immediately, until `failed` returns it.
   * @param request id that `signed` or `failed` will name
   */
  judge(question: Question, request: string): Promise<Ruling> {
    return this.#inTurn(async () => {
      const now = this.#deps.clock.now()
      const uses = await this.#uses(now)
      const match = matchPolicies(await this.policies(), question, uses, now)
      if (!match.covered) return ASK
      const { policy } = match
      const use = asUse(match, { request, at: now, hash: '' })
      await this.#keep(policy.kind === 'transaction' ? [...uses, use] : uses, await this.#counted(policy.id, now))
      return { judgement: 'approve', by: `policy ${policy.id}`, reason: policy.name }
    }, ASK)
  }

  /** An approved request was signed; it may not have been approved by a policy. Never rejects. */
  async signed(request: string, body: Readonly<Record<string, unknown>>): Promise<void> {
    const hash = signedBody.safeParse(body).data?.tx.hash
    if (hash === undefined) return
    await this.#inTurn(async () => {
      const uses = await this.#uses(this.#deps.clock.now())
      if (!uses.some((use) => isOpen(use, request))) return
      await this.#keep(uses.map((use) => (isOpen(use, request) ? { ...use, hash } : use)))
    }, undefined)
  }

  /** Nothing was signed for this request: its amount is returned. Never rejects. */
  async failed(request: string): Promise<void> {
    await this.#inTurn(async () => {
      const uses = await this.#uses(this.#deps.clock.now())
      const left = uses.filter((use) => !isOpen(use, request))
      if (left.length < uses.length) await this.#keep(left)
    }, undefined)
  }

  /** Uses that still count at `now`. */
  async #uses(now: number): Promise<readonly Use[]> {
    const bytes = await this.#deps.storage.get(USES)
    if (bytes === null) return []
    // One without a hash counts too: whether it was signed before this program ended is unknown.
    return useList.parse(jsonOf(bytes)).filter((use) => use.at > now - LONGEST_PERIOD_MS)
  }

  async #matches(): Promise<z.infer<typeof matchMap>> {
    const bytes = await this.#deps.storage.get(MATCHES)
    return bytes === null ? {} : matchMap.parse(jsonOf(bytes))
  }

  /** The counts after another approval; those of removed policies are dropped. */
  async #counted(id: string, now: number): Promise<z.infer<typeof matchMap>> {
    const present = new Set((await this.policies()).map((policy) => policy.id))
    const counts = new Map(Object.entries(await this.#matches()).filter(([other]) => present.has(other)))
    counts.set(id, { count: (counts.get(id)?.count ?? 0) + 1, lastAt: now })
    return Object.fromEntries(counts)
  }

  /** @param matches missing = unchanged */
  async #keep(uses: readonly Use[], matches?: z.infer<typeof matchMap>): Promise<void> {
    if (uses.length > MAX_USES) throw new Error(`more than ${MAX_USES} uses of policies to remember`)
    const changes = new Map([[USES, bytesOf(uses)]])
    if (matches !== undefined) changes.set(MATCHES, bytesOf(matches))
    await this.#deps.storage.change(changes)
  }

  /** Serialized; rethrows errors. */
  #changing<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(work)
    this.#tail = done.catch(() => undefined)
    return done
  }

  async #inTurn<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    const done = this.#tail.then(work).catch((error: unknown) => {
      this.#deps.log.warn('policies gave no decision', { reason: messageOf(error) })
      return otherwise
    })
    this.#tail = done
    return done
  }
}

function isOpen(use: Use, request: string): boolean {
  return use.hash === '' && use.request === request
}

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

/** Authenticated text from the vault; the caller validates its shape. */
function jsonOf(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes))
}

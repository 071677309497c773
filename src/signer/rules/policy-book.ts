// The policies of a vault, and what they have let through. Both lie encrypted and bound to the vault, so that nobody who
// can merely write files may widen a policy. Counters survive a restart.
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { AuditEntry } from '../audit/audit-entry'
import type { Question } from '../ports'
import type { EncryptedStore } from '../vault/encrypted-store'
import { type Policy, parsePolicies } from './policy'
import { matchPolicies, quantity, type Use } from './policy-match'
import { ASK, type Ruling } from './rule-script'

const POLICIES = 'policies'
const USES = 'uses'
const MATCHES = 'matches'
/** An approval that did not become a signature by then counts no longer. */
const UNSIGNED_MS = 10 * 60_000
const LONGEST_PERIOD_MS = 8_760 * 3_600_000
const MOST_USES = 100_000

const useList = z.array(z.object({ policy: z.string(), at: z.number(), wei: z.string(), hash: z.string() }))

const matchMap = z.record(z.string(), z.object({ count: z.number().int(), lastAt: z.number().int() }))

/** How often a policy has approved since it was made, and when it did last (UTC ms). */
export interface PolicyMatches {
  readonly id: string
  readonly count: number
  readonly lastAt: number
}

const signedBody = z.object({
  tx: z.object({
    hash: z.string(),
    value: quantity,
    gas: quantity,
    gasPrice: quantity.nullish(),
    maxFeePerGas: quantity.nullish(),
  }),
})

export interface PolicyBookDeps {
  readonly storage: EncryptedStore
  readonly clock: Clock
  readonly log: Logger
  readonly record: (entry: AuditEntry) => Promise<void>
}

export class PolicyBook {
  readonly #deps: PolicyBookDeps
  /** One after the other: two requests at once must not both take what is left of a limit. */
  #tail: Promise<unknown> = Promise.resolve()

  constructor(deps: PolicyBookDeps) {
    this.#deps = deps
  }

  /** @throws VaultError SIGNER_VAULT_UNUSABLE, SIGNER_POLICY_INVALID */
  async policies(): Promise<readonly Policy[]> {
    const bytes = await this.#deps.storage.get(POLICIES)
    return bytes === null ? [] : parsePolicies(jsonOf(bytes))
  }

  /**
   * Puts all policies in the place of the present ones. The change is recorded before it holds.
   * @param value what a form made
   * @throws VaultError SIGNER_POLICY_INVALID, SIGNER_VAULT_UNUSABLE, SignerError SIGNER_AUDIT_UNWRITABLE
   */
  async save(value: unknown): Promise<readonly Policy[]> {
    const next = parsePolicies(value)
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

  /** Takes the amount from the policy's limits at once. Never rejects. */
  judge(question: Question): Promise<Ruling> {
    return this.#inTurn(async () => {
      const now = this.#deps.clock.now()
      const uses = await this.#uses(now)
      const match = matchPolicies(await this.policies(), question, uses, now)
      if (!match.covered) return ASK
      const { policy, wei } = match
      const use = { policy: policy.id, at: now, wei: wei.toString(), hash: '' }
      await this.#keep(policy.kind === 'transaction' ? [...uses, use] : uses, await this.#counted(policy.id, now))
      return { judgement: 'approve', by: `policy ${policy.id}`, reason: policy.name }
    }, ASK)
  }

  /** A transaction was signed: the oldest approval of its amount that is not yet a signature becomes one. */
  async signed(body: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#inTurn(async () => {
      const parsed = signedBody.safeParse(body)
      if (!parsed.success) return
      const { hash, value, gas, gasPrice, maxFeePerGas } = parsed.data.tx
      const wei = (value + gas * (maxFeePerGas ?? gasPrice ?? 0n)).toString()
      const uses = await this.#uses(this.#deps.clock.now())
      const at = uses.findIndex((use) => use.hash === '' && use.wei === wei)
      if (at < 0) return
      await this.#keep(uses.map((use, index) => (index === at ? { ...use, hash } : use)))
    }, undefined)
  }

  /** What still counts at `now`. */
  async #uses(now: number): Promise<readonly Use[]> {
    const bytes = await this.#deps.storage.get(USES)
    if (bytes === null) return []
    const counts = (use: Use): boolean => use.at > now - (use.hash === '' ? UNSIGNED_MS : LONGEST_PERIOD_MS)
    return useList.parse(jsonOf(bytes)).filter(counts)
  }

  async #matches(): Promise<z.infer<typeof matchMap>> {
    const bytes = await this.#deps.storage.get(MATCHES)
    return bytes === null ? {} : matchMap.parse(jsonOf(bytes))
  }

  /** The counts after one more approval; those of policies that are gone are dropped. */
  async #counted(id: string, now: number): Promise<z.infer<typeof matchMap>> {
    const present = new Set((await this.policies()).map((policy) => policy.id))
    const counts = new Map(Object.entries(await this.#matches()).filter(([other]) => present.has(other)))
    counts.set(id, { count: (counts.get(id)?.count ?? 0) + 1, lastAt: now })
    return Object.fromEntries(counts)
  }

  /** @param matches missing = as they are */
  async #keep(uses: readonly Use[], matches?: z.infer<typeof matchMap>): Promise<void> {
    if (uses.length > MOST_USES) throw new Error(`more than ${MOST_USES} uses of policies to remember`)
    const changes = new Map([[USES, bytesOf(uses)]])
    if (matches !== undefined) changes.set(MATCHES, bytesOf(matches))
    await this.#deps.storage.change(changes)
  }

  async #inTurn<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    const done = this.#tail.then(work).catch((error: unknown) => {
      this.#deps.log.warn('policies gave no answer', { reason: messageOf(error) })
      return otherwise
    })
    this.#tail = done
    return done
  }
}

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value))
}

/** Text that came out of the vault, which is authenticated; its shape is checked by the caller. */
function jsonOf(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes))
}

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
/** An approval that did not become a signature by then counts no longer. */
const UNSIGNED_MS = 10 * 60_000
const LONGEST_PERIOD_MS = 8_760 * 3_600_000
const MOST_USES = 100_000

const useList = z.array(z.object({ policy: z.string(), at: z.number(), wei: z.string(), hash: z.string() }))

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

  /** Takes the amount from the policy's limits at once. Never rejects. */
  judge(question: Question): Promise<Ruling> {
    return this.#inTurn(async () => {
      const now = this.#deps.clock.now()
      const uses = await this.#uses(now)
      const match = matchPolicies(await this.policies(), question, uses, now)
      if (!match.covered) return ASK
      const { policy, wei } = match
      if (policy.kind === 'transaction') {
        await this.#keep([...uses, { policy: policy.id, at: now, wei: wei.toString(), hash: '' }])
      }
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

  async #keep(uses: readonly Use[]): Promise<void> {
    if (uses.length > MOST_USES) throw new Error(`more than ${MOST_USES} uses of policies to remember`)
    await this.#deps.storage.change(new Map([[USES, new TextEncoder().encode(JSON.stringify(uses))]]))
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

/** Text that came out of the vault, which is authenticated; its shape is checked by the caller. */
function jsonOf(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes))
}

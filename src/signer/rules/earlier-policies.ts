// Policies and uses as earlier versions of this program stored them, in one file of encrypted values.
import { z } from 'zod'
import { openValue, readSealedValues } from '../vault/sealed-values'
import { type Policy, parsePolicies } from './policy'
import type { PolicyState } from './policy-state'
import { UseTotals } from './use-totals'

const useList = z.array(
  z.object({
    policy: z.string(),
    at: z.number(),
    wei: z.string(),
    // Missing in the earliest versions.
    token: z.object({ contract: z.string(), amount: z.string() }).nullable().default(null),
  }),
)
const matchMap = z.record(z.string(), z.object({ count: z.number().int(), lastAt: z.number().int() }))

/**
 * What a journal begins with; null when there is nothing to take over.
 * @param text of the file @param key 32 bytes @throws Error for a value that was changed, VaultError SIGNER_POLICY_INVALID
 */
export function readEarlier(text: string, key: Uint8Array): ReturnType<PolicyState['snapshot']> | null {
  const stored = new Map(
    [...readSealedValues(text)].map(([name, value]) => {
      const opened = openValue(key, name, value)
      if (opened === null) throw new Error(`the value of ${name} was changed or belongs to another vault`)
      return [name, opened]
    }),
  )
  const bytes = stored.get('policies')
  if (bytes === undefined) return null
  const policies = parsePolicies(jsonOf(bytes))
  const accounts = new Map(policies.flatMap((policy) => accountOf(policy)))
  const uses = new UseTotals()
  // A removed policy's uses had no account any more, and counted for nothing.
  for (const use of useList.parse(jsonOf(stored.get('uses'))).sort((a, b) => a.at - b.at)) {
    const account = accounts.get(use.policy)
    if (account !== undefined) uses.add({ ...use, account })
  }
  const matches = matchMap.parse(jsonOf(stored.get('matches'), {}))
  return {
    policies,
    uses: uses.snapshot(-Infinity, 0),
    matches: Object.entries(matches),
    nonces: [],
    moment: null,
  }
}

function accountOf(policy: Policy): readonly (readonly [string, string])[] {
  return policy.kind === 'transaction' ? [[policy.id, policy.account]] : []
}

/** Authenticated text from the vault; the caller validates its shape. */
function jsonOf(bytes: Uint8Array | undefined, otherwise: unknown = []): unknown {
  return bytes === undefined ? otherwise : JSON.parse(new TextDecoder().decode(bytes))
}

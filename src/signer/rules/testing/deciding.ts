// For tests and the benchmark: decisions of a policy whose uses are given.
import { randomBytes } from 'node:crypto'
import { FakeClock } from '../../../base/testing/fake-clock'
import { JournalBook } from '../../vault/journal-book'
import { PolicyBook, PolicyState } from '../policy-book'
import type { UseTotals } from '../use-totals'
import { ACCOUNT, aPolicy, aTransfer } from './policy-samples'

/** Judges a covered transaction, its record included, as often as that. @returns the ids of the policies that cover it */
export function decideWith(uses: UseTotals, count: number): readonly (string | null)[] {
  const key = new Uint8Array(32).fill(7)
  const policy = aPolicy({ periods: [{ hours: 8_760, wei: '1'.padEnd(30, '0'), count: null }] })
  const state = new PolicyState()
  const journal = new JournalBook({ key, randomBytes, name: 'policies', part: state })
  journal.read('', 0)
  const moment = { at: 31_000_000_000, wall: 31_000_000_000, up: 0, boot: null }
  for (const record of [{ policies: [policy] }, { match: 'shop', moment }]) journal.add(record)
  const book = new PolicyBook({
    keys: { journal: key, earlier: key },
    clock: new FakeClock(moment.wall),
    uptime: { ms: () => 0, boot: null },
    randomBytes,
  })
  state.uses = uses
  book.read(journal.compacted().text, null, 0)
  const { transaction, ...body } = aTransfer().body
  const question = JSON.stringify({ method: 'ui_approveTx', body })
  const content = JSON.stringify({ kind: 'transaction', chainId: '2110', transaction })
  const facts = { nonce: 'absent', standard: null } as const
  return Array.from({ length: count }, (_, at) => {
    const asked = { request: `r${at}`, question, address: ACCOUNT.toLowerCase(), content, facts }
    return book.judge(asked).policy?.id ?? null
  })
}

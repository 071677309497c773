// For `npm run bench -- --signer-limits`: what a policy's decision costs after a million uses, as one line of JSON.
import { UseTotals } from '../use-totals'
import { decideWith } from './deciding'
import { ACCOUNT } from './policy-samples'

const USES = 1_000_000
const DECISIONS = 300

const account = ACCOUNT.toLowerCase()
const [used, unused] = [new UseTotals(), new UseTotals()]
for (let i = 0; i < USES; i++) used.add({ account, at: 31_000 * i, wei: '7', token: null })

/** Of one decision, ms of CPU time; what comes before the decisions is measured by itself and taken off. */
function cost(uses: UseTotals): number {
  return (spent(uses, DECISIONS) - spent(uses, 0)) / DECISIONS
}

function spent(uses: UseTotals, count: number): number {
  const startedAt = process.cpuUsage()
  decideWith(uses, count)
  const { user, system } = process.cpuUsage(startedAt)
  return (user + system) / 1_000
}

process.stdout.write(`${JSON.stringify({ uses: USES, after: cost(used), first: cost(unused) })}\n`)

// For tests: a policy, a transfer that it covers exactly, and a list of policies in a folder.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { silentLogger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { PolicyChain, Question } from '../ports'
import { SealedJournal } from '../vault/sealed-journal'
import { PolicyList, type PolicyListDeps } from './policy-list'

export const ACCOUNT = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'
export const SHOP = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const FEE = 21_000n

/** 1000 wei per transaction, 3000 wei in two hours, to the shop, fee up to 21000 wei. */
export const aPolicy = (change: Record<string, unknown> = {}) => ({
  kind: 'transaction',
  id: 'shop',
  name: 'the shop',
  enabled: true,
  expiresAt: null,
  callers: null,
  account: ACCOUNT,
  recipients: [SHOP],
  tokens: [],
  methods: [],
  valueWei: '1000',
  feeWei: FEE.toString(),
  periods: [{ hours: 2, wei: (3_000n + 3n * FEE).toString(), count: null }],
  ...change,
})

export const META = { remote: '127.0.0.1:1', local: '', scheme: 'http', 'User-Agent': '', Origin: 'https://shop' }

/** A request to transfer LAX that the sample policy covers. */
export const aTransfer = (change: Record<string, unknown> = {}, rest: Record<string, unknown> = {}): Question => ({
  method: 'ui_approveTx',
  body: {
    transaction: {
      from: ACCOUNT,
      to: SHOP,
      gas: '0x5208',
      gasPrice: '0x1',
      maxFeePerGas: null,
      maxPriorityFeePerGas: null,
      value: '0x3e8',
      nonce: '0x0',
      data: null,
      ...change,
    },
    call_info: null,
    meta: META,
    ...rest,
  },
})

/** Of the sample lists' journals. */
export const SAMPLE_KEY = randomBytes(32)

/** The policies in this folder; each call is like a start of the program. */
export function aPolicyListIn(
  dir: string,
  clock: Clock,
  more: Partial<PolicyListDeps> & { readonly chain?: PolicyChain; readonly vouched?: () => number | null } = {},
): PolicyList {
  const { vouched = () => 0, ...deps } = more
  const file = join(dir, 'policies.log')
  return new PolicyList({
    journal: new SealedJournal({ file, key: SAMPLE_KEY, randomBytes, clock, vouched }),
    earlier: null,
    clock,
    uptime: { ms: () => clock.monotonic(), boot: null },
    log: silentLogger,
    record: async () => undefined,
    seal: async () => undefined,
    ...deps,
  })
}

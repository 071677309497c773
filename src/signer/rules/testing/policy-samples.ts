// For tests: a policy, a transfer that it covers exactly, and a list of policies in a folder.
import { join } from 'node:path'
import { silentLogger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { PolicyChain, Question } from '../../ports'
import { sampleMaster, sampleVault } from '../../testing/local-vault'
import { JournalFile } from '../../vault/journal-file'
import type { GivenPassword, VaultPort } from '../../vault-wire'
import { PolicyList, type PolicyListDeps } from '../rules'

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
  chainId: 2110n,
})

/** A list that is given the sample master password for each change. */
class SampleList extends PolicyList {
  override save(value: unknown) {
    return super.save(value, sampleMaster())
  }

  override put(value: unknown, was: string | null) {
    return super.put(value, was, sampleMaster())
  }
}

interface Sample extends Omit<Partial<PolicyListDeps>, 'vault'> {
  readonly chain?: PolicyChain
  readonly vouched?: () => number | null
  /** Text of the file of earlier programs. */
  readonly earlier?: () => Promise<string>
  /** With the vault open. */
  readonly port?: VaultPort
}

/** The policies in this folder; each call is like a start of the program. */
export function aPolicyListIn(dir: string, clock: Clock, more: Sample = {}): PolicyList {
  const { vouched = () => 0, earlier, port = sampleVault(clock), ...deps } = more
  const read = async (text: string, version: number | null) =>
    port.call('journalRead', { text, earlier: text === '' ? ((await earlier?.()) ?? null) : null, vouched: version })
  const journal = new JournalFile({ file: join(dir, 'policies.log'), clock, vouched, reader: { read } })
  const prove = async (change: string, password: GivenPassword): Promise<void> => {
    await port.call('vaultProve', { change, password })
  }
  return new SampleList({
    vault: { port, journal, prove },
    clock,
    log: silentLogger,
    record: async () => undefined,
    seal: async () => undefined,
    ...deps,
  })
}

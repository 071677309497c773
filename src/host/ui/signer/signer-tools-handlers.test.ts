// None of the tools is open to a connection that may not decide, and a run without a signer says so.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SCRIPT_CAP } from '../../../base/approvals'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { createWireClient, type WireClient } from '../../../base/wire/client'
import type { CallName, ParamsOf } from '../../../base/wire/define'
import { memoryTransportPair } from '../../../base/wire/memory'
import { serveWire } from '../../../base/wire/server'
import { type Contract, contract } from '../../../contract/contract'
import type { signerToolsCalls as toolsContract } from '../../../contract/signer-tools'
import type { SignerService } from '../../../signer/signer-service'
import { signerHandlers } from './request-handlers'
import { type SignerTools, signerToolsCalls, signerToolsTopics } from './signer-tools-handlers'

const address = `0x${'11'.repeat(20)}`
const edits = { gas: null, nonce: null, gasPrice: null, maxFeePerGas: null, maxPriorityFeePerGas: null }
const movement = { from: address, to: address, value: '1', data: '0x' }

/** Well-formed parameters of every call of the tools. */
const params: { readonly [N in keyof typeof toolsContract]: ParamsOf<Contract, N> } = {
  'signer.checkEdits': { id: 'a', edits },
  'signer.simulate': { id: 'a', edits: null },
  'signer.rejectFrom': { id: 'a' },
  'signer.hearAll': {},
  'signer.vaultInit': { password: '' },
  'signer.vaultUnlock': { password: '' },
  'signer.vaultLock': {},
  'signer.vaultSetPassword': { address, password: null, master: null },
  'signer.attestRules': { sha256: '0'.repeat(64), ...SCRIPT_CAP, master: '' },
  'signer.policies': {},
  'signer.putPolicy': {
    policy: { id: 'a', name: 'a', enabled: true, expiresAt: null, callers: null, kind: 'listing', accounts: [] },
    was: null,
    master: null,
  },
  'signer.removePolicy': { id: 'a', was: 'x' },
  'signer.dryRun': { policies: [] },
  'signer.importAccount': { text: '', oldPassword: null, password: '' },
  'signer.changePassword': { address, oldPassword: '', password: '' },
  'signer.exportAccount': { address, password: '' },
  'signer.confirmBackup': { address, text: '', password: '' },
  'signer.forgetAccount': { address, lastDigits: '111111' },
  'signer.setLabel': { address, label: '' },
  'signer.watch': { address, label: '' },
  'signer.unwatch': { address },
  'signer.blockCaller': { id: 'a' },
  'signer.unblockCaller': { id: 'a' },
  'signer.policyMatches': {},
  'signer.rulesText': {},
  'signer.audit': { count: 1, address: null },
  'signer.auditVerify': {},
  'signer.draft': movement,
  'signer.send': { ...movement, nonce: 0, gas: '1', gasPrice: '1' },
}
const names = Object.keys(params) as readonly (keyof typeof params)[]

describe("the signer's tools", () => {
  const clock = new FakeClock()
  let client: WireClient<Contract>
  let access = { control: false, approve: false, canSignIn: false }

  beforeEach(() => {
    const [ours, theirs] = memoryTransportPair({ json: true })
    const { calls } = signerHandlers({ signer: null, clock })
    const handlers = new Proxy(calls(access), {}) as never
    serveWire(contract, theirs, handlers, {
      log: silentLogger,
      deny: (wanted) => (wanted === 'read' || access[wanted === 'control' ? 'control' : 'approve'] ? null : 'denied'),
    })
    client = createWireClient(contract, ours)
  })
  afterEach(() => client.close())

  const codeOf = (name: CallName<Contract> & keyof typeof params) =>
    client.call(name, params[name]).then(
      () => 'answered',
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : 'no code'),
    )

  it.each(names)('keeps %s from a read-only connection', async (name) => {
    access = { control: false, approve: false, canSignIn: false }

    expect(await codeOf(name)).toBe('CONTRACT_DENIED')
  })

  it.each(names)('lets control name and watch addresses and request a transfer, nothing more: %s', async (name) => {
    access = { control: true, approve: false, canSignIn: false }
    const open = ['signer.draft', 'signer.send', 'signer.setLabel', 'signer.watch', 'signer.unwatch']

    expect(await codeOf(name)).toBe(open.includes(name) ? 'HOST_SERVICE_OFF' : 'CONTRACT_DENIED')
  })

  it.each(names)('says that there is no signer to %s', async (name) => {
    access = { control: true, approve: true, canSignIn: false }

    expect(await codeOf(name)).toBe('HOST_SERVICE_OFF')
  })

  it('has a topic for vault, notes, callers and sends', () => {
    const topics = signerToolsTopics({ signer: null, tools: null, clock })

    expect(topics.map(({ name }) => name)).toEqual(['signer.vault', 'signer.notes', 'signer.callers', 'signer.sends'])
  })
})

describe('what lets the signer sign without asking', () => {
  const policy = { ...params['signer.putPolicy'].policy }
  const never = new AbortController().signal

  /** A vault that notes what it is given. */
  function scene() {
    const given: unknown[] = []
    const note = async (...words: readonly unknown[]) => {
      given.push(structuredClone(words.at(-1)))
      return []
    }
    const running = { policies: { put: note, remove: note }, attest: note, setPassword: note, unlock: note }
    const tools = { vault: running } as unknown as SignerTools
    return { given, calls: signerToolsCalls({ signer: {} as SignerService, tools, clock: new FakeClock() }) }
  }

  it('goes to the vault with the master password, which is wiped here afterwards', async () => {
    const { given, calls } = scene()
    const sealed = { kind: 'sealed' as const, sender: `04${'0'.repeat(128)}`, statement: '{}', password: '00' }

    await calls['signer.putPolicy']({ policy, was: null, master: 'cA==' }, never)
    await calls['signer.attestRules']({ sha256: '0'.repeat(64), ...SCRIPT_CAP, master: sealed }, never)
    await calls['signer.vaultSetPassword']({ address, password: 'cHc=', master: 'cA==' }, never)

    const p = { kind: 'plain', password: Uint8Array.of(0x70) }
    expect(given).toEqual([p, sealed, { password: { kind: 'plain', password: Uint8Array.of(0x70, 0x77) }, master: p }])
  })

  it('is not stored without it', async () => {
    const { given, calls } = scene()

    await expect(calls['signer.vaultSetPassword']({ address, password: 'cA==', master: null }, never)).rejects.toThrow(
      'this needs the master password',
    )
    expect(given).toEqual([])
  })

  it('may always be narrowed', async () => {
    const { given, calls } = scene()

    await calls['signer.putPolicy']({ policy: { ...policy, enabled: false }, was: 'x', master: null }, never)
    await calls['signer.removePolicy']({ id: 'a', was: 'x' }, never)
    await calls['signer.vaultSetPassword']({ address, password: null, master: null }, never)

    expect(given).toEqual([null, 'x', null])
  })
})

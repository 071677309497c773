// None of the tools is open to a connection that may not decide, and a run without a signer says so.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { createWireClient, type WireClient } from '../../../base/wire/client'
import type { CallName, ParamsOf } from '../../../base/wire/define'
import { memoryTransportPair } from '../../../base/wire/memory'
import { serveWire } from '../../../base/wire/server'
import { type Contract, contract } from '../../../contract/contract'
import type { signerToolsCalls as toolsContract } from '../../../contract/signer-tools'
import type { SignerService } from '../../../signer/signer-service'
import type { UiAccess } from '../ui-handlers'
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
  'signer.vaultSetPassword': { address, password: null },
  'signer.attestRules': { sha256: '0'.repeat(64) },
  'signer.policies': {},
  'signer.putPolicy': {
    policy: { id: 'a', name: 'a', enabled: true, expiresAt: null, callers: null, kind: 'listing', accounts: [] },
    was: null,
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
  const running = {
    putPolicy: async () => [],
    removePolicy: async () => [],
    attest: async () => undefined,
    setPassword: async () => undefined,
    unlock: async () => undefined,
  }

  function callsFor(access: Partial<UiAccess>, clock = new FakeClock()) {
    const tools = { vault: running } as unknown as SignerTools
    const all = { control: true, approve: true, canSignIn: false, ...access }
    return signerToolsCalls({ signer: {} as SignerService, tools, clock }, all)
  }
  const never = new AbortController().signal
  const widening = (calls: ReturnType<typeof callsFor>): readonly (() => unknown)[] => [
    () =>
      calls['signer.putPolicy'](
        { policy: { ...policy, kind: 'transaction', enabled: true } as never, was: null },
        never,
      ),
    () => calls['signer.attestRules']({ sha256: '0'.repeat(64) }, never),
    () => calls['signer.vaultSetPassword']({ address: address, password: 'cA==' }, never),
  ]
  const codes = (works: readonly (() => unknown)[]) =>
    Promise.all(
      works.map(async (work) => {
        try {
          await work()
          return 'done'
        } catch (error) {
          return error instanceof Error && 'code' in error ? error.code : 'no code'
        }
      }),
    )

  it('needs the master password, typed shortly before on the same connection', async () => {
    const clock = new FakeClock()
    const calls = callsFor({}, clock)

    expect(await codes(widening(calls))).toEqual(Array(3).fill('HOST_MASTER_NEEDED'))
    await calls['signer.vaultUnlock']({ password: 'cA==' }, never)
    expect(await codes(widening(calls))).toEqual(Array(3).fill('done'))
    expect(await codes(widening(callsFor({}, clock)))).toEqual(Array(3).fill('HOST_MASTER_NEEDED'))
    clock.advance(10 * 60_000 + 1)
    expect(await codes(widening(calls))).toEqual(Array(3).fill('HOST_MASTER_NEEDED'))
  })

  it('is confirmed outside of the page where there is a window', async () => {
    const asked: unknown[] = []
    const answering = (answer: boolean) => callsFor({ confirm: async (question) => asked.push(question) > 0 && answer })

    expect(await codes(widening(answering(false)))).toEqual(Array(3).fill('HOST_NOT_CONFIRMED'))
    expect(await codes(widening(answering(true)))).toEqual(Array(3).fill('done'))
    expect(asked).toHaveLength(6)
    expect(asked[2]).toEqual({ kind: 'signing', what: address })
  })

  it('may always be narrowed', async () => {
    const calls = callsFor({ confirm: async () => false })

    expect(
      await codes([
        () =>
          calls['signer.putPolicy'](
            { policy: { ...policy, kind: 'transaction', enabled: false } as never, was: 'x' },
            never,
          ),
        () => calls['signer.removePolicy']({ id: 'a', was: 'x' }, never),
        () => calls['signer.vaultSetPassword']({ address: address, password: null }, never),
      ]),
    ).toEqual(['done', 'done', 'done'])
  })
})

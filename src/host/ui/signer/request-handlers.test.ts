import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HeadframeError } from '../../../base/errors'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { createWireClient } from '../../../base/wire/client'
import { memoryTransportPair } from '../../../base/wire/memory'
import { contract } from '../../../contract/contract'
import { REMOTE_CONSENT, type RequestsView } from '../../../contract/signer'
import { SignerService } from '../../../signer/signer-service'
import { ApprovalSwitches, REMOTE_LASTS_MS } from '../../signer/approval-switches'
import { OWN_FORM } from '../../signer/send-form'
import { TextMetrics } from '../../system/metrics-text'
import type { UiAccess } from '../ui-handlers'
import { UiServer } from '../ui-server'
import { signerHandlers } from './request-handlers'

function aSigner(keystore: string, clock: FakeClock): SignerService {
  return new SignerService(
    {
      keystore,
      chainId: 1,
      london: false,
      lightKdf: true,
      strict: false,
      http: null,
      auditLog: null,
      approvalTimeoutMs: 0,
    },
    {
      keys: () => memoryTransportPair()[0], // nobody answers: no key is needed here
      clock,
      log: silentLogger,
      metrics: new TextMetrics(),
      randomBytes,
    },
  )
}

const PASSWORD = 'a password that must not stay'

/** What earlier small buffers left in the memory that Node shares among them. */
function sharedMemory(): string {
  return Buffer.from(Buffer.from('x').buffer).toString('latin1')
}

it('leaves no password in the memory that buffers share', async () => {
  const clock = new FakeClock()
  const signer = aSigner('/nowhere', clock)
  const { calls } = signerHandlers({ signer, clock })
  const { 'signer.decide': decide } = calls({ control: false, approve: true, canSignIn: false })
  const decision = { id: 'a', nonce: 'b', contentHash: 'c', decision: 'approve', accounts: null } as const
  const password = Buffer.alloc(PASSWORD.length, PASSWORD).toString('base64')

  await expect(decide({ ...decision, password }, new AbortController().signal)).rejects.toMatchObject({
    code: 'SIGNER_DECISION_REFUSED',
  })

  expect(sharedMemory()).not.toContain(PASSWORD)
})

/** As a page seals; its password can't be read here. */
function sealed(keepMinutes: number) {
  const point = `04${'1'.repeat(128)}`
  const statement = JSON.stringify({ contents: ['0'.repeat(64)], keepMinutes, page: point })
  return { kind: 'sealed', sender: point, statement, password: '00' } as const
}

/** An account of `--unlock`. */
const ALWAYS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

describe('requests over connections of several kinds', () => {
  const clock = new FakeClock()
  const AT_HOME = { control: true, approve: true, canSignIn: false }
  const away = (isEncrypted: boolean) => ({
    control: true,
    approve: false,
    canSignIn: false,
    remote: { isEncrypted, mayDecide: () => switches.admits({ isEncrypted }) },
  })
  /** On its own clock: the signer scans its folder every second of the other one. */
  const calendar = new FakeClock()
  let dataDir: string
  let signer: SignerService
  let switches: ApprovalSwitches
  let ui: UiServer

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'signer-part-'))
    signer = aSigner(dataDir, clock)
    await signer.start(new AbortController().signal)
    const onKeepUnlocked = (isOn: boolean): void => signer.kept.allow(isOn)
    switches = new ApprovalSwitches({ dataDir, hasToken: true, onKeepUnlocked, clock: calendar, log: silentLogger })
    await switches.start()
    const none = { calls: () => ({}), topics: [] } as never
    const parts = {
      app: none,
      node: none,
      miner: none,
      signer: signerHandlers({ signer, switches, always: [ALWAYS.toLowerCase()], clock }),
    }
    ui = new UiServer({ parts, clock, log: silentLogger })
    await ui.start()
    signer.requestNewAccount(OWN_FORM)
    await vi.waitFor(() => expect(signer.requests()).toHaveLength(1), 240_000)
  })
  afterEach(async () => {
    await ui.stop()
    await switches.stop()
    await signer.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** A connection, and the last list of requests that was sent to it. */
  function connect(access: UiAccess) {
    const [ours, theirs] = memoryTransportPair({ json: true })
    ui.attach(theirs, access)
    const client = createWireClient(contract, ours)
    const seen: { requests: RequestsView | null } = { requests: null }
    client.on('signer.requests', (requests) => {
      seen.requests = requests
    })
    const codeOf = (call: Promise<unknown>): Promise<string> =>
      call.then(
        () => 'answered',
        (error: unknown) => (error instanceof HeadframeError ? error.code : String(error)),
      )
    const decide = (password: string | null, decision: 'approve' | 'reject' = 'approve') => {
      const [request] = signer.requests()
      const { id = '', nonce = '', contentHash = '' } = request ?? {}
      return codeOf(client.call('signer.decide', { id, nonce, contentHash, decision, password, accounts: null }))
    }
    const decideMany = (password: string | null, decision: 'approve' | 'reject', rest = {}) => {
      const requests = signer.requests().map(({ id, nonce, contentHash }) => ({ id, nonce, contentHash }))
      return codeOf(client.call('signer.decideMany', { requests, decision, password, ...rest }))
    }
    return { client, seen, codeOf, decide, decideMany }
  }

  /** State events are held back for a moment, which the clock has to pass. */
  const soon = (check: () => void): Promise<void> =>
    vi.waitFor(() => {
      clock.advance(100)
      check()
    }, 240_000)

  it('are shown in full at the machine, and only counted elsewhere', async () => {
    const here = connect(AT_HOME)
    const there = connect(away(true))

    await soon(() => expect(here.seen.requests?.waiting).toHaveLength(1))
    await soon(() => expect(there.seen.requests?.waitingCount).toBe(1))
    expect(there.seen.requests).toMatchObject({ waiting: [], mayDecide: false })
    expect(await there.decide(null, 'reject')).toBe('CONTRACT_DENIED')
    expect(await there.codeOf(there.client.call('signer.rejectAll', {}))).toBe('CONTRACT_DENIED')
    expect(signer.requests()).toHaveLength(1)
  })

  it('are shown and decided elsewhere only while that is switched on', async () => {
    const there = connect(away(true))
    await switches.setRemote('encrypted', '')
    await soon(() => expect(there.seen.requests).toMatchObject({ mayDecide: true, takesPasswords: true }))
    expect(there.seen.requests?.waiting).toHaveLength(1)

    calendar.advance(REMOTE_LASTS_MS)
    expect(await there.decide(null, 'reject')).toBe('CONTRACT_DENIED')

    await switches.setRemote('encrypted', '')
    expect(await there.decide(null, 'reject')).toBe('answered')
    expect(signer.requests()).toHaveLength(0)
  })

  it('accept no password over a readable connection, whatever consent was given', async () => {
    const there = connect(away(false))
    await switches.setRemote('encrypted', '')
    expect(await there.decide(null, 'reject')).toBe('CONTRACT_DENIED')

    await switches.setRemote('plain', REMOTE_CONSENT)
    await soon(() => expect(there.seen.requests).toMatchObject({ mayDecide: true, takesPasswords: false }))
    expect(await there.decide('c2VjcmV0')).toBe('HOST_PASSWORD_UNENCRYPTED')
    expect(signer.requests()).toMatchObject([{ state: 'waiting', triesLeft: 3 }])
    expect(await there.decide(null, 'reject')).toBe('answered')
  })

  it('are decided together under the same terms as one by one', async () => {
    const there = connect(away(false))
    expect(await there.decideMany(null, 'reject')).toBe('CONTRACT_DENIED')

    await switches.setRemote('plain', REMOTE_CONSENT)
    await soon(() => expect(there.seen.requests).toMatchObject({ mayDecide: true }))
    expect(await there.decideMany('c2VjcmV0', 'approve')).toBe('HOST_PASSWORD_UNENCRYPTED')
    expect(await there.decideMany(null, 'approve', { approval: sealed(5) })).toBe('HOST_PASSWORD_UNENCRYPTED')
    expect(signer.requests()).toMatchObject([{ state: 'waiting', triesLeft: 3 }])
    signer.requestNewAccount(OWN_FORM)
    await vi.waitFor(() => expect(signer.requests()).toHaveLength(2), 240_000)
    expect(await there.decideMany(null, 'reject')).toBe('answered')
    expect(signer.requests()).toHaveLength(0)
  })

  it('leave rules, keys and the switches themselves at the machine', async () => {
    await switches.setRemote('plain', REMOTE_CONSENT)
    const { client, codeOf } = connect(away(true))

    expect(await codeOf(client.call('signer.policies', {}))).toBe('CONTRACT_DENIED')
    expect(await codeOf(client.call('signer.vaultUnlock', { password: '' }))).toBe('CONTRACT_DENIED')
    expect(await codeOf(client.call('signer.setRemote', { mode: 'off', consent: '' }))).toBe('HOST_AT_MACHINE_ONLY')
    expect(await codeOf(client.call('signer.setKeepUnlocked', { isOn: true }))).toBe('HOST_AT_MACHINE_ONLY')
    expect(switches.remote().mode).toBe('plain')
  })

  it('can be switched at the machine by those with control, not by viewers', async () => {
    const { client, codeOf } = connect({ control: true, approve: false, canSignIn: false })
    expect(await codeOf(client.call('signer.setRemote', { mode: 'encrypted', consent: '' }))).toBe('answered')
    expect(switches.remote().mode).toBe('encrypted')

    const looks = connect({ control: false, approve: false, canSignIn: false })
    expect(await looks.codeOf(looks.client.call('signer.setRemote', { mode: 'off', consent: '' }))).toBe(
      'CONTRACT_DENIED',
    )
    expect(await looks.codeOf(looks.client.call('signer.lockKept', {}))).toBe('HOST_AT_MACHINE_ONLY')
  })

  it('leave the machine from a page of the window only after a person confirmed outside of it', async () => {
    const asked: string[] = []
    const windowed = (answer: boolean) =>
      connect({
        control: true,
        approve: false,
        canSignIn: false,
        isHere: true,
        confirm: async ({ kind, ...more }) => asked.push([kind, ...Object.values(more)].join(' ')) > 0 && answer,
      })
    const refused = windowed(false)
    const on = { mode: 'encrypted', consent: '' } as const
    expect(await refused.codeOf(refused.client.call('signer.setRemote', on))).toBe('HOST_NOT_CONFIRMED')
    expect(switches.remote().mode).toBe('off')

    const allowed = windowed(true)
    expect(await allowed.codeOf(allowed.client.call('signer.setRemote', on))).toBe('answered')
    expect(switches.remote().mode).toBe('encrypted')
    expect(await refused.codeOf(refused.client.call('signer.setRemote', { ...on, mode: 'off' }))).toBe('answered')
    expect([switches.remote().mode, asked]).toEqual(['off', ['remote encrypted', 'remote encrypted']])
    expect(await refused.codeOf(refused.client.call('signer.setKeepUnlocked', { isOn: true }))).toBe(
      'HOST_NOT_CONFIRMED',
    )
    expect(await refused.codeOf(refused.client.call('signer.setKeepUnlocked', { isOn: false }))).toBe('answered')
    expect(asked).toHaveLength(3)
  })

  it('say which accounts sign without asking, to those who may control or decide', async () => {
    const told = (access: UiAccess) =>
      new Promise((resolve) => connect(access).client.on('signer.switches', ({ always }) => resolve(always)))

    expect(await told(AT_HOME)).toEqual([ALWAYS])
    expect(await told({ control: false, approve: false, canSignIn: false })).toEqual([])
  })

  it('keep no account unlocked before that is switched on', async () => {
    const { client, codeOf } = connect(AT_HOME)
    const [request] = signer.requests()
    const { id = '', nonce = '', contentHash = '' } = request ?? {}
    const decision = { id, nonce, contentHash, decision: 'approve', password: 'YQ==', accounts: null } as const

    const keeping = { ...decision, password: null, approval: sealed(5) }
    expect(await codeOf(client.call('signer.decide', keeping))).toBe('HOST_KEEPING_OFF')
  })

  it('report their outcome', async () => {
    const here = connect(AT_HOME)
    const [request] = signer.requests()
    await here.decide(null, 'reject')

    await soon(() => expect(here.seen.requests?.waitingCount).toBe(0))
    expect(here.seen.requests?.ended).toEqual([{ id: request?.id, state: 'rejected' }])
  })

  it('are counted if there are too many, until none waits', async () => {
    const here = connect(AT_HOME)
    for (let count = 1; count < 1_000; count++) signer.requestNewAccount(OWN_FORM)
    for (let count = 0; count < 3; count++) expect(() => signer.requestNewAccount(OWN_FORM)).toThrow()
    await soon(() => expect(here.seen.requests?.overflowed).toBe(3))

    signer.rejectAll()
    await soon(() => expect(signer.requests()).toHaveLength(0))
    await soon(() => expect(here.seen.requests).toMatchObject({ waitingCount: 0, overflowed: 0 }))
  })
})

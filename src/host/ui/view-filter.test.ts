import { describe, expect, it } from 'vitest'
import type { Handlers } from '../../base/wire/define'
import type { WireServer } from '../../base/wire/server'
import { type Contract, contract } from '../../contract/contract'
import { HIDING_VIEW_CALLS, HIDING_VIEW_EVENTS, VIEW_CALLS, VIEW_EVENTS } from '../../contract/view-links'
import { hiddenSummary, withoutAddresses, withoutUser } from '../control-port/redact'
import { handlersForLink, serverForLink } from './view-filter'

const PLAIN = { id: 'a', hides: false, expiresAt: 1 }
const HIDING = { id: 'b', hides: true, expiresAt: 1 }
const OWN = '0x52908400098527886E0F7030069857D2E4169EE7'
const calls: Readonly<Record<string, { readonly access: string }>> = contract.calls
const signal = new AbortController().signal

/** Every call of the contract answers `result`. */
function handlersWith(result: unknown, asked: string[] = []): Handlers<Contract> {
  const answer = (name: string) => (): unknown => {
    asked.push(name)
    return result
  }
  const all: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.keys(contract.calls).map((name) => [name, answer(name)]),
  )
  return all as Handlers<Contract>
}

async function askAs(view: typeof PLAIN, name: string, result: unknown): Promise<unknown> {
  const handlers = handlersForLink(handlersWith(result), view) as Readonly<
    Record<string, (params: unknown, signal: AbortSignal) => unknown>
  >
  return handlers[name]?.({}, signal)
}

function sent(view: typeof PLAIN, name: string, payload: unknown): unknown[] {
  const seen: unknown[] = []
  const target: WireServer<Contract> = { emit: (_name, value) => void seen.push(value), close: () => undefined }
  serverForLink(target, view).emit(name as 'app.status', payload as never)
  return seen
}

describe('a visitor on a link', () => {
  it.each([
    ['a plain link', PLAIN, VIEW_CALLS],
    ['a link that hides', HIDING, HIDING_VIEW_CALLS],
  ])("is refused every call that isn't listed: %s", (_, view, allowed) => {
    const asked: string[] = []
    const handlers = Object.entries(handlersForLink(handlersWith({}, asked), view))
    const refused = handlers.filter(([name]) => !allowed.includes(name))

    for (const [name, handler] of refused) {
      expect(() => (handler as (params: unknown, signal: AbortSignal) => unknown)({}, signal), name).toThrow(
        'is not available through a share link',
      )
    }

    expect(asked).toEqual([])
    expect(refused.length).toBe(Object.keys(contract.calls).length - allowed.length)
  })

  it('is offered only existing calls and events that only read', () => {
    expect(VIEW_CALLS.filter((name) => calls[name]?.access !== 'read')).toEqual([])
    expect(HIDING_VIEW_CALLS.filter((name) => !VIEW_CALLS.includes(name))).toEqual([])
    expect(VIEW_EVENTS.filter((name) => !Object.hasOwn(contract.events, name))).toEqual([])
    expect(HIDING_VIEW_EVENTS.filter((name) => !VIEW_EVENTS.includes(name))).toEqual([])
  })

  it.each(['signer.requests', 'signer.vault', 'signer.sends', 'app.activity'])('receives no %s', (name) => {
    expect(sent(PLAIN, name, { waiting: [] })).toEqual([])
    expect(sent(HIDING, name, { waiting: [] })).toEqual([])
  })

  it.each(['node.balances', 'node.peers', 'signer.accounts'])('receives no %s through a redacted link', (name) => {
    expect(sent(HIDING, name, {})).toEqual([])
  })

  it("doesn't learn where the program is installed and listens", async () => {
    const info = {
      dataDir: '/srv/anna',
      engine: { kind: 'typescript', simd: '', loadError: '/srv/anna/x.node is missing' },
      endpoints: { api: '10.1.2.3:3333', rpc: null, signer: null },
    }

    expect(JSON.stringify(await askAs(PLAIN, 'app.info', info))).not.toMatch(/anna|10\.1/)
    const status = { services: [{ name: 'node', state: 'failed', reason: '/srv/anna is full' }], takenAt: 1 }
    expect(JSON.stringify(sent(PLAIN, 'app.status', status))).not.toContain('anna')
  })

  it('on a link that hides sees figures of pools and rigs, but no users, names or addresses', () => {
    const pool = {
      index: 0,
      url: `stratum+tcp://${OWN}.rig7:x@pool.example:3003`,
      host: 'pool.example:3003',
      user: OWN,
      worker: 'rig7',
      tls: false,
      verified: false,
      active: true,
      state: 'active',
      lastFault: `no ${OWN}.rig7`,
      lastSwitch: { at: 1, cause: 'failed', from: 'a.example:1', reason: 'rig7 refused' },
      somethingNew: 'rig7',
    }
    const rig = {
      name: 'kitchen',
      host: '10.1.2.3:3333',
      local: false,
      online: false,
      error: 'kitchen: HTTP 401',
      ageSeconds: null,
      hasToken: true,
      figures: null,
    }

    const pools = sent(HIDING, 'miner.pools', { kind: 'pools', pools: [pool], takenAt: 1 })
    const rigs = sent(HIDING, 'miner.rigs', { mining: false, rigs: [rig, { ...rig, name: 'cellar' }], takenAt: 1 })

    expect(JSON.stringify([pools, rigs])).not.toMatch(/5290|rig7|kitchen|cellar|10\.1\.2\.3/i)
    expect(pools).toMatchObject([
      { pools: [{ url: 'stratum+tcp://pool.example:3003', state: 'active', lastSwitch: { cause: 'failed' } }] },
    ])
    expect(rigs).toMatchObject([{ rigs: [{ name: 'rig 1', error: 'not reached' }, { name: 'rig 2' }] }])
  })

  it("on a link that hides sees the results of shares, but not the pool's words", async () => {
    const answer = 'no anna.rig7'
    const diagnosis = { trouble: 'login-rejected', since: 1, count: 1, answer }
    const source = { url: 'stratum+tcp://pool.example:1', warning: `Login rejected: ${answer}. Check it.`, diagnosis }
    expect(sent(HIDING, 'miner.status', { source })).toMatchObject([
      { source: { warning: 'Login rejected: . Check it.', diagnosis: { ...diagnosis, answer: '' } } },
    ])
    const summary = hiddenSummary({ pool: { ...source, diagnosis: { ...diagnosis, seconds: 1 } } } as never)
    expect(summary).toMatchObject({ pool: { diagnosis: { trouble: 'login-rejected', seconds: 1 } } })
    expect(JSON.stringify(summary)).not.toContain('anna')

    const share = {
      at: 1,
      outcome: 'rejected',
      jobDifficulty: 1,
      ownDifficulty: null,
      latencyMs: 9,
      reason: 'no anna.rig7',
    }
    const marks = [
      { kind: 'rejected', at: 1, count: 1, text: 'no anna.rig7' },
      { kind: 'epoch', at: 2, count: 1, text: '391' },
    ]

    const solutions = await askAs(HIDING, 'miner.solutions', { shares: [share], failed: [] })
    const timeline = await askAs(HIDING, 'miner.timeline', { spans: [], marks })

    expect(solutions).toMatchObject({ shares: [{ outcome: 'rejected', reason: '' }] })
    expect(timeline).toMatchObject({
      marks: [
        { kind: 'rejected', text: '' },
        { kind: 'epoch', text: '391' },
      ],
    })
    expect(await askAs(PLAIN, 'miner.timeline', { spans: [], marks })).toMatchObject({ marks })
  })

  it('on a link that hides sees blocks, but not whose they are', async () => {
    const block = { number: 7, miner: OWN, extraData: '0x616e6e61', transactions: [{ from: OWN, input: '0x' }] }

    const shown = await askAs(HIDING, 'node.block', { block })

    expect(shown).toMatchObject({
      block: { number: 7, miner: `0x${'0'.repeat(40)}`, extraData: '0x', transactions: [] },
    })
    expect(JSON.stringify(await askAs(HIDING, 'node.blocks', { blocks: [block] }))).not.toMatch(/5290/i)
    expect(JSON.stringify(await askAs(PLAIN, 'node.block', { block }))).toContain(OWN)
  })
})

describe('what is left out', () => {
  it.each([
    [`to ${OWN}.`, `to 0x${'0'.repeat(40)}.`],
    [`0x${'0'.repeat(24)}${OWN.slice(2)}`, `0x${'0'.repeat(64)}`],
    [`0x${'ab'.repeat(32)}`, `0x${'ab'.repeat(32)}`],
    ['0x12', '0x12'],
  ])('of %j is addresses only', (text, expected) => {
    expect(withoutAddresses({ [text]: [text] })).toEqual({ [expected]: [expected] })
  })

  it.each([
    ['stratum+tcp://u.w:p@h:1', 'stratum+tcp://h:1'],
    ['stratum1+ssl://u@x:p@[2001:db8::1]:3/a?b', 'stratum1+ssl://[2001:db8::1]:3'],
    ['solo://local', 'solo://local'],
    ['u.w:p@h:1', ''],
    ['', ''],
  ])('of the pool %j is its user', (url, expected) => {
    expect(withoutUser(url)).toBe(expected)
  })
})

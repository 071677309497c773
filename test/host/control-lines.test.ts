// Line JSON-RPC as farm scripts speak it, over real sockets, compared with the recorded lines of hashwarp.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { until } from '../miner/pool-harness'
import { call, USER } from './control-fixture'
import { controlOpener, doneAnswer as done, errorAnswer as error, requestLine as request } from './control-open'

const { start, wire } = controlOpener()

const exchange = z.object({ send: z.string(), recv: z.union([z.string(), z.array(z.string())]) })
const recorded = z
  .object({
    readWrite: z.array(exchange),
    password: z.array(exchange),
    readOnly: z.array(z.object({ m: z.string(), r: z.unknown() })),
  })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../vectors/miner/hashwarp-api.json'), 'utf8')))

describe('the recorded session of hashwarp', () => {
  /** Intended deviations: other numbers, stricter ranges, real expressions. */
  const DIFFERS =
    /getstat|getconnections|getscramblerinfo|"segmentwidth":(5|60)|"URI":".\*"|not json|^GET|^\[|^"|errorcode/
  const asked = recorded.readWrite.filter(
    ({ send, recv }) =>
      typeof recv === 'string' && !DIFFERS.test(send) && recv.startsWith('{') && !recv.includes('errorcode'),
  )

  it('has enough lines to be worth replaying', () => {
    expect(asked.length).toBeGreaterThanOrEqual(30)
  })

  it('gets equal answers, line by line on one connection', async () => {
    const { tcpPort } = await start({ devices: 1 })
    const client = wire(tcpPort)
    for (const { send } of asked) client.send(`${send}\n`)

    const answers = await client.lines(asked.length)

    expect(answers).toEqual(asked.map(({ recv }): unknown => JSON.parse(String(recv))))
  })

  it('returns equal answers about its password, except for the result that hashwarp omits', async () => {
    const { tcpPort } = await start({ token: 's3cret' })
    const client = wire(tcpPort)
    for (const { send } of recorded.password) client.send(`${send}\n`)

    const answers = await client.lines(recorded.password.length)

    expect(answers).toEqual(
      recorded.password.map(({ recv }): unknown => {
        const answer: object = JSON.parse(String(recv))
        return 'error' in answer || 'result' in answer ? answer : { ...answer, result: true }
      }),
    )
  })

  it('gets equal answers if nothing may be changed', async () => {
    const { tcpPort } = await start({ allowControl: false })
    const client = wire(tcpPort)
    recorded.readOnly.forEach(({ m }, index) => void client.send(request(index + 1, m)))

    expect(await client.lines(recorded.readOnly.length)).toEqual(recorded.readOnly.map(({ r }) => r))
  })
})

describe('reading', () => {
  it('returns nine texts in getstat1', async () => {
    const { tcpPort, pool } = await start()

    expect(await call(tcpPort, 'miner_getstat1')).toEqual(
      done([
        'headframe-1.2.3',
        '0',
        '0;0;0',
        '0;0',
        '0;0;0',
        'off;off',
        '0;0;0;0',
        `127.0.0.1:${pool.port}`,
        '0;0;0;0',
      ]),
    )
  })

  it('returns everything in getstatdetail, with the password masked and CPUs labeled as CPUs', async () => {
    const { tcpPort, pool, miner } = await start()
    miner.pause(1)

    expect(await call(tcpPort, 'miner_getstatdetail', [1])).toEqual(
      done({
        connection: { connected: true, switches: 0, uri: `stratum+tcp://${USER}.rig1:***@127.0.0.1:${pool.port}` },
        devices: [
          {
            _index: 0,
            _mode: 'CPU',
            hardware: { name: 'CPU "0" 2.00 GB', pci: '', sensors: [0, 0, 0], type: 'CPU' },
            mining: {
              hashrate: '0x00000000',
              paused: false,
              pause_reason: null,
              segment: ['0x0000000000001000', '0x0000010000001000'],
              shares: [0, 0, 0, 0],
            },
          },
          {
            _index: 1,
            _mode: 'CPU',
            hardware: { name: 'CPU "1" 2.00 GB', pci: '', sensors: [0, 0, 0], type: 'CPU' },
            mining: {
              hashrate: '0x00000000',
              paused: true,
              pause_reason: 'Api request',
              segment: ['0x0000010000001000', '0x0000020000001000'],
              shares: [0, 0, 0, 0],
            },
          },
        ],
        host: { name: 'rig', runtime: 0, version: 'headframe-1.2.3' },
        mining: {
          difficulty: expect.closeTo(60, 6),
          epoch: 0,
          epoch_changes: 1,
          hashrate: '0x00000000',
          shares: [0, 0, 0, 0],
        },
        monitors: null,
      }),
    )
  })

  it('counts shares with the seconds since the last one', async () => {
    const { tcpPort, engines, miner } = await start()
    engines[0]?.search.find(0x1001n)
    await until('the share', () => miner.snapshot().shares.accepted === 1)

    const answer = await call(tcpPort, 'miner_getstatdetail')

    expect(answer).toMatchObject({ result: { mining: { shares: [1, 0, 0, 0] } } })
    expect(await call(tcpPort, 'miner_getstat1')).toMatchObject({ result: { 2: '0;1;0' } })
  })

  it('lists pools without their passwords', async () => {
    const { tcpPort, pool } = await start()

    expect(await call(tcpPort, 'miner_getconnections')).toEqual(
      done([{ active: true, index: 0, uri: `stratum+tcp://${USER}.rig1:***@127.0.0.1:${pool.port}` }]),
    )
  })
})

describe('pools', () => {
  it('are added, refused, switched and removed', async () => {
    const { tcpPort, pool } = await start()
    const uri = `stratum+tcp://other.w:topsecret@127.0.0.1:${pool.port}`

    expect(await call(tcpPort, 'miner_addconnection', { uri })).toEqual(done(true))
    expect(await call(tcpPort, 'miner_addconnection', { uri })).toEqual(error(-422, 'Already in the list'))
    expect(await call(tcpPort, 'miner_addconnection', { uri: 'bad' })).toEqual(error(-422, 'Bad URI : bad'))
    expect(await call(tcpPort, 'miner_addconnection', { uri: 'foo://u:pw@h:1' })).toEqual(
      error(-422, 'Bad URI : foo://u:***@h:1'),
    )
    expect(await call(tcpPort, 'miner_removeconnection', { index: 0 })).toEqual(
      error(-422, "Can't remove active connection"),
    )
    expect(await call(tcpPort, 'miner_removeconnection', { index: 2 })).toEqual(error(-422, 'Index out-of bounds.'))
    expect(await call(tcpPort, 'miner_setactiveconnection', { index: 2 })).toEqual(error(-422, 'Index out-of bounds.'))
    expect(await call(tcpPort, 'miner_setactiveconnection', { index: 1, URI: 'x' })).toEqual(done(true))
    await until('the switch', () => pool.logins.length === 2)
    await activated(tcpPort, 1)
    expect(await call(tcpPort, 'miner_removeconnection', { index: 0 })).toEqual(done(true))
    expect(JSON.stringify(await call(tcpPort, 'miner_getconnections'))).not.toContain('topsecret')
    expect(await call(tcpPort, 'miner_getstat1')).toMatchObject({ result: { 8: '0;1;0;0' } })
  })

  it('are found by an expression, first match in the list, ignoring case', async () => {
    const { tcpPort } = await start()
    await call(tcpPort, 'miner_addconnection', { uri: 'stratum+tcp://b@pool.example:1' })

    expect(await call(tcpPort, 'miner_setactiveconnection', { URI: '^STRATUM.*RIG1@' })).toEqual(done(true))
    expect(await call(tcpPort, 'miner_setactiveconnection', { URI: 'nowhere' })).toEqual(error(-422, 'Not found.'))
    expect(await call(tcpPort, 'miner_setactiveconnection', { URI: ':x@' })).toEqual(error(-422, 'Not found.'))
    expect(await call(tcpPort, 'miner_setactiveconnection', { URI: '(' })).toEqual(error(-422, 'Invalid expression'))
    expect(await call(tcpPort, 'miner_setactiveconnection', { URI: 'a'.repeat(257) })).toEqual(
      error(-422, 'Invalid expression'),
    )
    expect(await call(tcpPort, 'miner_setactiveconnection', { URI: 5 })).toEqual(
      error(-32602, "Invalid type of value 'URI'"),
    )
    expect(await call(tcpPort, 'miner_setactiveconnection', { x: 1 })).toEqual(error(-32602, "Missing 'index'"))
    expect(await call(tcpPort, 'miner_setactiveconnection', { index: '0' })).toEqual(
      error(-32602, "Invalid type of value 'index'"),
    )
  })

  it('survive a hostile expression: it ends, and others are answered meanwhile', async () => {
    const { tcpPort } = await start()
    await call(tcpPort, 'miner_addconnection', { uri: `stratum+tcp://${'a'.repeat(60)}@pool.example:1` })
    const answered: string[] = []
    const hostile = call(tcpPort, 'miner_setactiveconnection', { URI: '(a|a|aa)+$' })
    const told = hostile.then(() => answered.push('hostile'))

    expect(await call(tcpPort, 'miner_ping')).toEqual(done('pong'))
    answered.push('ping')
    await told

    expect(answered).toEqual(['ping', 'hostile'])
    expect(await hostile).toEqual(error(-422, 'Invalid expression'))
  })
})

describe('devices', () => {
  it('are paused and resumed one at a time', async () => {
    const { tcpPort, miner } = await start()

    expect(await call(tcpPort, 'miner_pausegpu', { index: 1, pause: true })).toEqual(done(true))
    expect(miner.summary(true).gpus.map(({ paused, pause_reason }) => [paused, pause_reason])).toEqual([
      [false, ''],
      [true, 'Api request'],
    ])
    expect(await call(tcpPort, 'miner_pausegpu', { index: 1, pause: false })).toEqual(done(true))
    expect(await call(tcpPort, 'miner_pausegpu', { index: 2, pause: true })).toEqual(error(-422, 'Index out of bounds'))
    expect(await call(tcpPort, 'miner_pausegpu', { index: '1', pause: true })).toEqual(
      error(-32602, "Invalid type of value 'index'"),
    )
    expect(miner.summary(true).gpus.some(({ paused }) => paused)).toBe(false)
  })

  it('are restarted', async () => {
    const { tcpPort, engines } = await start()

    expect(await call(tcpPort, 'miner_restart')).toEqual(done(true))

    await until('new searches', () => engines.every((engine) => engine.searches.length === 2))
  })

  it('the reboot script reports whether it started', async () => {
    const { tcpPort, reboots } = await start()

    expect(await call(tcpPort, 'miner_reboot')).toEqual(done(false))
    expect(await call(tcpPort, 'miner_reboot')).toEqual(done(true))
    expect(reboots).toHaveLength(2)
  })

  it('verbosity is passed on within its bounds', async () => {
    const { tcpPort, verbosity } = await start()

    expect(await call(tcpPort, 'miner_setverbosity', { verbosity: 511 })).toEqual(done(true))
    expect(await call(tcpPort, 'miner_setverbosity', { verbosity: 512 })).toEqual(
      error(-422, 'Verbosity out of bounds (0-511)'),
    )
    expect(verbosity).toEqual([511])
  })
})

describe('nonces', () => {
  const info = (start: string, width: number, more: readonly string[]) =>
    done({
      start_nonce: start,
      device_width: width,
      device_count: more.length,
      devices: more.map((from, index) => ({ index, start: from, width })),
    })

  it('are listed and moved, immediately and exactly', async () => {
    const { tcpPort, engines } = await start()

    expect(await call(tcpPort, 'miner_getscramblerinfo')).toEqual(
      info('0x0000000000001000', 40, ['0x0000000000001000', '0x0000010000001000']),
    )
    const line =
      '{"id":1,"jsonrpc":"2.0","method":"miner_setscramblerinfo","params":{"noncescrambler":18446744073709551615,"segmentwidth":10}}\n'
    expect(await wire(tcpPort).send(line).lines(1)).toEqual([done(true)])
    expect(await call(tcpPort, 'miner_getscramblerinfo')).toEqual(
      info('0xffffffffffffffff', 10, ['0xffffffffffffffff', '0x00000000000003ff']),
    )
    expect(engines.map((engine) => [engine.search.job?.startNonce, engine.search.job?.segmentBits])).toEqual([
      [2n ** 64n - 1n, 10],
      [1_023n, 10],
    ])
  })

  it('are cut to what fits all devices', async () => {
    const { tcpPort } = await start()

    expect(await call(tcpPort, 'miner_setscramblerinfo', { segmentwidth: 63, noncescrambler: '0x0' })).toEqual(
      done(true),
    )
    expect(await call(tcpPort, 'miner_setscramblerinfo', { segmentwidth: 64 })).toEqual(
      error(-422, 'Segment width out of bounds (10-63)'),
    )
    expect(await call(tcpPort, 'miner_getscramblerinfo')).toEqual(
      info('0x0000000000000000', 63, ['0x0000000000000000', '0x8000000000000000']),
    )
  })

  it.each([
    [{ other: 1 }, -32602, 'Missing parameters'],
    [{ noncescrambler: -1 }, -32602, "Bad value in 'noncescrambler'"],
    [{ noncescrambler: 1.5 }, -32602, "Bad value in 'noncescrambler'"],
    [{ noncescrambler: '12' }, -32602, "Bad value in 'noncescrambler'"],
    [{ noncescrambler: '0x10000000000000000' }, -32602, "Bad value in 'noncescrambler'"],
    [{ noncescrambler: null }, -32602, "Bad value in 'noncescrambler'"],
    [{ noncescrambler: 1, segmentwidth: 9 }, -422, 'Segment width out of bounds (10-63)'],
  ])('reject %j', async (params, code, message) => {
    const { tcpPort } = await start()

    expect(await call(tcpPort, 'miner_setscramblerinfo', params)).toEqual(error(code, message))
    expect(await call(tcpPort, 'miner_getscramblerinfo')).toMatchObject({
      result: { start_nonce: '0x0000000000001000' },
    })
  })

  it('stay where the pool put them, whatever is requested', async () => {
    const { tcpPort, engines } = await start({ extranonce: 'abcd' })
    const before = engines.map((engine) => engine.search.job?.startNonce)

    expect(await call(tcpPort, 'miner_shuffle')).toEqual(done(true))
    expect(await call(tcpPort, 'miner_setscramblerinfo', { noncescrambler: 5 })).toEqual(done(true))

    expect(engines.map((engine) => engine.search.job?.startNonce)).toEqual(before)
    expect(await call(tcpPort, 'miner_getscramblerinfo')).toMatchObject({
      result: { start_nonce: '0xabcd000000000000', device_width: 40 },
    })
  })

  it('are redrawn by a shuffle', async () => {
    const { tcpPort, engines } = await start()
    const before = engines[0]?.search.jobs.length ?? 0
    await call(tcpPort, 'miner_setscramblerinfo', { noncescrambler: 5 })

    expect(await call(tcpPort, 'miner_shuffle')).toEqual(done(true))

    expect(engines[0]?.search.jobs.length).toBe(before + 2)
    expect(engines[0]?.search.job?.startNonce).toBe(0x1000n)
  })
})

function isActive(answer: unknown, index: number): boolean {
  const parsed = z.object({ result: z.array(z.object({ active: z.boolean(), index: z.number() })) }).parse(answer)
  return parsed.result.some((each) => each.active && each.index === index)
}

async function activated(tcpPort: number, index: number): Promise<void> {
  while (!isActive(await call(tcpPort, 'miner_getconnections'), index))
    await new Promise((resolve) => setTimeout(resolve, 10))
}

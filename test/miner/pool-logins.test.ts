// Who is paid: the logins that miners' families and pools ask people to write, and what a pool then really receives.
import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { parsePoolUrl, withFields } from '../../src/config/values/pool-url'
import { poolList } from '../../src/config/values/rig-address'
import { currentJob, makeRig, until } from './pool-harness'
import { type Flavour, SimulatedPool } from './pool-sim/pool'

const A = '0x52908400098527886E0F7030069857D2E4169EE7'
const WRONG = `${A.slice(0, -2)}e7`

interface Seen {
  readonly user: string
  readonly worker?: string
  readonly password?: string
  readonly path?: string
}

/** After the scheme; HOST is a pool's host and port. */
const LOGINS: readonly (readonly [string, Seen])[] = [
  // An address, with and without a worker.
  [`${A}@HOST`, { user: A }],
  [`${A}:x@HOST`, { user: A, password: 'x' }],
  [`${A}.rig1@HOST`, { user: A, worker: 'rig1' }],
  [`${A}.rig1:x@HOST`, { user: A, worker: 'rig1', password: 'x' }],
  [`${A.toLowerCase()}.rig1:x@HOST`, { user: A.toLowerCase(), worker: 'rig1', password: 'x' }],
  [`${A}.rig.1:x@HOST`, { user: A, worker: 'rig.1', password: 'x' }],
  [`${A}.rig-1_a:x@HOST`, { user: A, worker: 'rig-1_a', password: 'x' }],
  [`${A}.rig%201:x@HOST`, { user: A, worker: 'rig 1', password: 'x' }],
  [`${A}.%E7%9F%BF:x@HOST`, { user: A, worker: '矿', password: 'x' }],
  [`${A}%2Erig1:x@HOST`, { user: `${A}.rig1`, password: 'x' }],
  [`${A.slice(2)}.rig1@HOST`, { user: A.slice(2), worker: 'rig1' }],
  [`${WRONG}.rig1@HOST`, { user: WRONG, worker: 'rig1' }],
  // Slashes: worker and e-mail as parts of the login, or behind the host.
  [`${A}/rig1@HOST`, { user: `${A}/rig1` }],
  [`${A}/rig.1@HOST`, { user: `${A}/rig.1` }],
  [`${A}.site/rig1:x@HOST`, { user: A, worker: 'site/rig1', password: 'x' }],
  [`${A}/rig1/me@mail.example:x@HOST`, { user: `${A}/rig1/me@mail.example`, password: 'x' }],
  [`${A}/rig1/me@mail.example@HOST`, { user: `${A}/rig1/me@mail.example` }],
  [`${A}.rig1/me@mail.example:x@HOST`, { user: `${A}.rig1/me@mail.example`, password: 'x' }],
  [`${A}%2Frig1%2Fme%40mail.example:x@HOST`, { user: `${A}/rig1/me@mail.example`, password: 'x' }],
  [`${A}.rig1@HOST/me@mail.example`, { user: A, worker: 'rig1', path: '/me@mail.example' }],
  [`${A}@HOST/rig1/me@mail.example`, { user: A, path: '/rig1/me@mail.example' }],
  [`${A}@HOST/rig1`, { user: A, path: '/rig1' }],
  [`${A}.rig1:x@HOST/`, { user: A, worker: 'rig1', password: 'x' }],
  [`${A}.rig1:x@HOST/a.b`, { user: A, worker: 'rig1', password: 'x', path: '/a.b' }],
  // E-mail addresses as account names, raw and encoded.
  ['me@mail.example@HOST', { user: 'me@mail.example' }],
  ['me@mail.example:x@HOST', { user: 'me@mail.example', password: 'x' }],
  ['me%40mail.example@HOST', { user: 'me@mail.example' }],
  ['me%40mail.example:x@HOST', { user: 'me@mail.example', password: 'x' }],
  ['me%40mail%2eexample:x@HOST', { user: 'me@mail.example', password: 'x' }],
  ['me%40mail%2Eexample.rig1:x@HOST', { user: 'me@mail.example', worker: 'rig1', password: 'x' }],
  ['`me@mail.example`.rig1:x@HOST', { user: 'me@mail.example', worker: 'rig1', password: 'x' }],
  ['john.smith@mail.example:x@HOST', { user: 'john.smith@mail.example', password: 'x' }],
  ['me+pools@mail.example:x@HOST', { user: 'me+pools@mail.example', password: 'x' }],
  ['me%2Bpools%40mail.co.example:x@HOST', { user: 'me+pools@mail.co.example', password: 'x' }],
  ['me@mail.example:3333@HOST', { user: 'me@mail.example', password: '3333' }],
  // Accounts with a worker, dots quoted or encoded.
  ['account@HOST', { user: 'account' }],
  ['account.rig1@HOST', { user: 'account', worker: 'rig1' }],
  ['account.rig1:x@HOST', { user: 'account', worker: 'rig1', password: 'x' }],
  ['a.b.rig1:x@HOST', { user: 'a.b', worker: 'rig1', password: 'x' }],
  ['name%2e1:x@HOST', { user: 'name.1', password: 'x' }],
  ['name%2e1.rig1:x@HOST', { user: 'name.1', worker: 'rig1', password: 'x' }],
  ['`name.246`.rig1:x@HOST', { user: 'name.246', worker: 'rig1', password: 'x' }],
  ['`name.246`:x@HOST', { user: 'name.246', password: 'x' }],
  ['account.`rig.1`:x@HOST', { user: 'account', worker: 'rig.1', password: 'x' }],
  ['account/rig1@HOST', { user: 'account/rig1' }],
  ['account_rig1:x@HOST', { user: 'account_rig1', password: 'x' }],
  ['account%3Arig1:x@HOST', { user: 'account:rig1', password: 'x' }],
  ['`solo:account`.rig1:x@HOST', { user: 'solo:account', worker: 'rig1', password: 'x' }],
  ['account%25.rig1@HOST', { user: 'account%', worker: 'rig1' }],
  // What pools append to an address: a difficulty, a coin, an amount.
  [`${A}+5000.rig1:x@HOST`, { user: `${A}+5000`, worker: 'rig1', password: 'x' }],
  [`${A}=4000:x@HOST`, { user: `${A}=4000`, password: 'x' }],
  [`${A}-rig1:x@HOST`, { user: `${A}-rig1`, password: 'x' }],
  [`${A},${A}.rig1:x@HOST`, { user: `${A},${A}`, worker: 'rig1', password: 'x' }],
  [`solo%3A${A}.rig1@HOST`, { user: `solo:${A}`, worker: 'rig1' }],
  // Passwords.
  [`${A}.rig1:a:b@HOST`, { user: A, worker: 'rig1', password: 'a:b' }],
  [`${A}.rig1:a:b:c@HOST`, { user: A, worker: 'rig1', password: 'a:b:c' }],
  [`${A}:a.b:c@HOST`, { user: A, password: 'a.b:c' }],
  ['account.rig1:a.b:c@HOST', { user: 'account', worker: 'rig1', password: 'a.b:c' }],
  ['account:a:b@HOST', { user: 'account', password: 'a:b' }],
  [`${A}.rig1:pass.word@HOST`, { user: A, worker: 'rig1', password: 'pass.word' }],
  [`${A}.rig1:p@ss@HOST`, { user: A, worker: 'rig1', password: 'p@ss' }],
  [`${A}.rig1:p%40ss@HOST`, { user: A, worker: 'rig1', password: 'p@ss' }],
  [`${A}.rig1:p%3Ass@HOST`, { user: A, worker: 'rig1', password: 'p:ss' }],
  [`${A}.rig1:p@s#s@HOST`, { user: A, worker: 'rig1', password: 'p@s#s' }],
  [`${A}.rig1:c=LAX,mc=LAX@HOST`, { user: A, worker: 'rig1', password: 'c=LAX,mc=LAX' }],
  [`${A}.rig1:c=LAX,mc=LAX/x?y@HOST`, { user: A, worker: 'rig1', password: 'c=LAX,mc=LAX/x?y' }],
  [`${A}.rig1:d=0.5;t=1/2#3@HOST`, { user: A, worker: 'rig1', password: 'd=0.5;t=1/2#3' }],
  [`${A}.rig1:1234/x@HOST`, { user: A, worker: 'rig1', password: '1234/x' }],
  [`${A}.rig1:50%25off@HOST`, { user: A, worker: 'rig1', password: '50%off' }],
  [`${A}.rig1:p+s%2Bs@HOST`, { user: A, worker: 'rig1', password: 'p+s+s' }],
  [`${A}.rig1:\`a:b\`@HOST`, { user: A, worker: 'rig1', password: 'a:b' }],
  [`${A}.rig1:@HOST`, { user: A, worker: 'rig1' }],
  [`${A}.rig1:%20@HOST`, { user: A, worker: 'rig1', password: ' ' }],
]

/** Whole addresses that are never guessed at, with the part of the answer that names the meanings or the fault. */
const REFUSED: readonly (readonly [string, string])[] = [
  ['stratum+tcp://account/rig.1@h:1', 'user account/rig.1 without a worker, or user account/rig with worker 1'],
  ['stratum+tcp://coin:account.rig1:x@h:1', 'user coin with a password of 14 characters, or a user that begins with'],
  ['stratum+tcp://u:p@a.example:1/x@b.example:2', 'host a.example:1, or host b.example:2'],
  ['stratum+tcp://a.example:1/x@b.example:2', 'host a.example:1, or host b.example:2'],
  ['http://u:p@s#s@node.example', 'host s:80, or host node.example:80'],
  ['http://u:80/w@node.example:8545', 'host u:80, or host node.example:8545'],
  ['stratum+tcp://`name.246:x@h:1', 'backtick'],
  ['stratum+tcp://u:50%off@h:1', '%25'],
  [`stratum+tcp://${A.slice(0, -1)}.rig1:x@h:1`, '39 digits'],
  [`stratum+tcp://${A}1.rig1:x@h:1`, '41 digits'],
  [`stratum+tcp://${A.slice(0, -1)}g@h:1`, 'contains "g"'],
  [`stratum+tcp://${A.slice(0, -1)}/rig1@h:1`, '39 digits'],
  [`stratum+tcp://0x${'0'.repeat(40)}.rig1@h:1`, 'nobody owns'],
  [`stratum+tcp://${A}`, 'the host is missing'],
  [`stratum+tcp://${A}:3333`, 'the host is missing'],
  ['stratum+tcp://%WAL%.%WORKER_NAME%:x@h:1', '%WAL% stands for'],
  [`stratum+tcp://${A}.%WORKER_NAME%:x@h:1`, '%WORKER_NAME% stands for'],
  ['stratum+tcp://<WALLET>.rig1:x@h:1', '<WALLET> stands for'],
  ['stratum+tcp://WALLET.WORKER:x@h:1', 'WALLET stands for'],
  ['stratum+tcp://YOUR_WALLET_ADDRESS.rig1:x@h:1', 'YOUR_WALLET_ADDRESS stands for'],
  ['stratum+tcp://0xADDRESS.rig1@h:1', '0xADDRESS stands for'],
]

/** Hosts, read without a connection. */
const HOSTS: readonly (readonly [string, string, number, string])[] = [
  ['stratum+tcp://u@[fe80::1%eth0]:3333', 'fe80::1%eth0', 3333, ''],
  ['stratum+tcp://u@[fe80::1%25eth0]:3333', 'fe80::1%eth0', 3333, ''],
  ['stratum+tcp://u:x@[2001:db8::1]:3333', '2001:db8::1', 3333, ''],
  [`http://pool.test:48888/${A}/rig1/me@mail.example`, 'pool.test', 48_888, `/${A}/rig1/me@mail.example`],
  [`http://pool.test/${A}/rig1/me@mail.example`, 'pool.test', 80, `/${A}/rig1/me@mail.example`],
  [`getwork://node.test:8545/${A}/me@mail.example`, 'node.test', 8545, `/${A}/me@mail.example`],
  [`https://u:p@pool.test/${A}/rig1/me@mail.example`, 'pool.test', 443, `/${A}/rig1/me@mail.example`],
  ['ssl://u@pool.test:3334', 'pool.test', 3334, ''],
  ['tcp://u@pool.test:3333', 'pool.test', 3333, ''],
]

const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
})

it('has the forms that people write', () => {
  expect(LOGINS.length + REFUSED.length + HOSTS.length).toBeGreaterThanOrEqual(80)
})

it.each(LOGINS)('reads %s', (text, { user, worker = '', password = null, path = '' }) => {
  const outcome = parsePoolUrl(`stratum+tcp://${text.replace('HOST', 'pool.example:3333')}`)

  expect(outcome).toMatchObject({ url: { user, worker, path, host: 'pool.example', port: 3333 } })
  expect('url' in outcome ? (outcome.url.password?.reveal() ?? null) : 'refused').toBe(password)
})

it.each(REFUSED)('refuses %s', (text, reason) => {
  expect(parsePoolUrl(text)).toMatchObject({ fault: expect.stringContaining(reason) })
})

it.each(HOSTS)('finds the host of %s', (text, host, port, path) => {
  expect(parsePoolUrl(text)).toMatchObject({ url: { host, port, path } })
})

it('warns of a wrong checksum and of a missing 0x', () => {
  const warnings = (user: string) => {
    const outcome = parsePoolUrl(`stratum+tcp://${user}@h:1`)
    return 'url' in outcome ? outcome.url.warnings : ['refused']
  }
  expect(warnings(A)).toEqual([])
  expect(warnings(WRONG)).toEqual([expect.stringContaining('checksum')])
  expect(warnings(A.slice(2))).toEqual([expect.stringContaining('without its 0x')])
})

const SCHEMES = {
  stratum: 'stratum+tcp',
  'eth-proxy': 'stratum1+tcp',
  nicehash: 'stratum2+tcp',
  stratum2: 'stratum3+tcp',
} as const satisfies Partial<Record<Flavour, string>>

/** Login and first share as each dialect's pool gets them. */
const WIRE: Readonly<Record<keyof typeof SCHEMES, (seen: Required<Seen>) => readonly unknown[]>> = {
  stratum: ({ user, worker, password, path }) => [
    [dotted(user, worker) + path, password],
    { name: user, worker: worker === '' ? undefined : worker },
  ],
  'eth-proxy': ({ user, worker, password, path }) => [
    password === '' ? [user + path] : [user + path, password],
    { name: undefined, worker: worker === '' ? undefined : worker },
  ],
  nicehash: ({ user, worker, password, path }) => [
    [dotted(user, worker) + path, password],
    { name: dotted(user, worker), worker: undefined },
  ],
  stratum2: ({ user, worker, password, path }) => [
    [dotted(user, worker) + path, password],
    { name: undefined, worker: undefined },
  ],
}

function dotted(user: string, worker: string): string {
  return worker === '' ? user : `${user}.${worker}`
}

interface Line {
  readonly method: string
  readonly params: readonly unknown[]
  readonly worker?: string
}

/** What a pool of this dialect received from a miner with this address: its login and its first share. */
async function received(flavour: keyof typeof SCHEMES, address: (host: string) => string): Promise<readonly unknown[]> {
  const pool = new SimulatedPool({ flavour, difficulty: 2, verify: false })
  await pool.start()
  const rig = makeRig([address(`127.0.0.1:${pool.port}`)])
  try {
    await rig.source.start()
    const job = await currentJob(rig)
    const nonce = job.extranonce === null ? 1n : job.extranonce.prefix << BigInt(64 - job.extranonce.bits)
    const share = { job, nonce, mixDigest: new Uint8Array(32), result: new Uint8Array(32), replaced: false }
    expect(await rig.source.submit(share, new AbortController().signal)).toMatchObject({ kind: 'accepted' })
  } finally {
    await rig.source.stop()
    await pool.stop()
  }
  const lines = pool.received.map((line): Line => JSON.parse(line))
  const login = lines.find(({ method }) => /authorize|submitLogin/.test(method))
  const share = lines.find(({ method }) => /mining.submit$|submitWork/.test(method))
  const hasName = flavour === 'stratum' || flavour === 'nicehash'
  return [login?.params, { name: hasName ? share?.params[0] : undefined, worker: share?.worker ?? login?.worker }]
}

describe.each(['stratum', 'eth-proxy', 'nicehash', 'stratum2'] as const)('a pool of %s', (flavour) => {
  it('receives every login of the table as it was meant', async () => {
    for (const [text, { user, worker = '', password = '', path = '' }] of LOGINS) {
      const found = await received(flavour, (host) => `${SCHEMES[flavour]}://${text.replace('HOST', host)}`)

      expect([text, ...found]).toEqual([text, ...WIRE[flavour]({ user, worker, password, path })])
    }
  })

  it('receives the same from separate fields and from a table of the config file', async () => {
    const fields = { user: 'me@mail.example', worker: 'my.rig 1', password: 'p:@/?#%=' }
    const expected = WIRE[flavour]({ ...fields, path: '' })

    expect(
      await received(flavour, (host) => {
        const whole = withFields(`${SCHEMES[flavour]}://${host}`, fields)
        return 'text' in whole ? whole.text : whole.fault
      }),
    ).toEqual(expected)
    expect(
      await received(flavour, (host) => {
        const [one] = poolList().fromToml([{ url: `${SCHEMES[flavour]}://${host}`, ...fields }]) ?? []
        return one?.reveal() ?? ''
      }),
    ).toEqual(expected)
  })
})

it('asks the first host of a getwork address, whatever e-mail address its path contains', async () => {
  const requests: (readonly [string, string])[] = []
  const server = createServer((request, response) => {
    const basic = (request.headers.authorization ?? '').replace('Basic ', '')
    requests.push([request.url ?? '', Buffer.from(basic, 'base64').toString()])
    response.end('{"id":1,"error":{"message":"no work"}}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({ stop: () => new Promise((resolve) => server.close(() => resolve())) })
  const address = server.address()
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  const path = `/${A}/rig1/me@mail.example`
  for (const [url, seen] of [
    [`http://${host}${path}`, [path, '']],
    [`getwork://me.rig1:a:b@${host}${path}`, [path, 'me.rig1:a:b']],
    [`http://me%40mail.example:p%40:x@${host}/x`, ['/x', 'me@mail.example:p@:x']],
  ] as const) {
    requests.length = 0
    const rig = makeRig([url])
    open.push(rig.source)
    await rig.source.start()
    await until('a request', () => requests.length > 0)
    await rig.source.stop()

    expect([url, requests[0]]).toEqual([url, seen])
  }
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  fieldsOf,
  hostPort,
  loginSeen,
  maskedText,
  type PoolUrl,
  parsePoolUrl,
  shownPool,
  withFields,
  withPasswordOf,
} from './pool-url'

function good(text: string): PoolUrl {
  const outcome = parsePoolUrl(text)
  if ('fault' in outcome) throw new Error(outcome.fault)
  return outcome.url
}

function fault(text: string): string {
  const outcome = parsePoolUrl(text)
  return 'fault' in outcome ? outcome.fault : 'none'
}

it.each([
  ['stratum://h:1', null, false],
  ['stratums://h:1', null, true],
  ['stratumss://h:1', null, true],
  ['stratum+tcp://h:1', 'stratum', false],
  ['STRATUM1+TLS://h:1', 'eth-proxy', true],
  ['stratum2+tls12://h:1', 'nicehash', true],
  ['stratum3+ssl://h:1', 'stratum2', true],
  ['http://h:1', 'getwork', false],
  ['getwork://h:1', 'getwork', false],
  ['https://h:1', 'getwork', true],
])('reads the scheme of %s', (text, dialect, tls) => {
  expect(good(text)).toMatchObject({ dialect, tls, host: 'h', port: 1 })
})

it("takes the login's last dot as the start of the worker and the first colon as that of the password", () => {
  const url = good('stratum+tcp://a.b.rig:p:q@pool.example:3333/mail')

  expect(url).toMatchObject({ user: 'a.b', worker: 'rig', host: 'pool.example', port: 3333, path: '/mail' })
  expect(url.password?.reveal()).toBe('p:q')
})

it('keeps a quoted piece together', () => {
  expect(good('stratum+tcp://`a.b`.rig@h:1')).toMatchObject({ user: 'a.b', worker: 'rig' })
  expect(good('stratum+tcp://`a.b`@h:1')).toMatchObject({ user: 'a.b', worker: '' })
})

it('decodes percent escapes and keeps a plus', () => {
  const url = good('stratum+tcp://me+pools%40mail%2eexample.rig:p%3aq@h:1')

  expect(url).toMatchObject({ user: 'me+pools@mail.example', worker: 'rig' })
  expect(url.password?.reveal()).toBe('p:q')
})

it('never cuts an e-mail address into a user and a worker', () => {
  expect(good('stratum+tcp://user@mail.rig:x@pool.example:1')).toMatchObject({
    user: 'user@mail.rig',
    worker: '',
    host: 'pool.example',
  })
})

it('shows a password as three asterisks and omits path and query', () => {
  const url = good('stratum+tcp://acct.rig:secret@[2001:db8::1]:3333/mail@me?verify=0')

  expect(url.masked).toBe('stratum+tcp://acct.rig:***@[2001:db8::1]:3333')
  expect(url.plain).toBe('stratum+tcp://acct.rig@[2001:db8::1]:3333')
  expect(JSON.stringify(url)).not.toContain('secret')
  expect(hostPort(url)).toBe('[2001:db8::1]:3333')
})

it('shows no at sign without a user', () => {
  expect(good('stratum+tcp://h:1').masked).toBe('stratum+tcp://h:1')
})

it("knows HTTP's ports and requires all others", () => {
  expect(good('http://node.example').port).toBe(80)
  expect(good('https://node.example/rpc')).toMatchObject({ port: 443, path: '/rpc' })
  expect(fault('stratum+tcp://pool.example')).toContain('port of pool.example is missing')
})

it('reads the two switches', () => {
  expect(good('stratum2+tls://h:1?diff=classic&verify=0')).toMatchObject({ difficultyUnit: 'classic', verify: false })
  expect(good('stratum2+tls://h:1')).toMatchObject({ difficultyUnit: null, verify: true })
})

it.each([
  ['bad', 'expected SCHEME://HOST:PORT'],
  ['ftp://h:1', 'unknown scheme "ftp"'],
  ['stratum9+tcp://h:1', 'unknown scheme'],
  ['stratum+udp://h:1', 'unknown scheme'],
  ['constructor+tcp://h:1', 'unknown scheme'],
  ['stratum+tcp://:1', 'expected HOST:PORT'],
  ['stratum+tcp://h:0', 'port 0 is not in 1..65535'],
  ['stratum+tcp://h:65536', 'port 65536 is not in 1..65535'],
  ['stratum+tcp://u:p%zz@h:1', 'bad percent escape'],
  ['stratum+tcp://u%0a@h:1', 'control characters'],
  ['stratum+tcp://u\n@h:1', 'control characters'],
  ['stratum+tcp://h:1?pool=x', 'unknown switch "pool=x"'],
])('rejects %s with a reason', (text, reason) => {
  expect(fault(text)).toContain(reason)
})

it("doesn't take an example for an address", () => {
  expect(fault('stratum+tcp://0xADDRESS.rig1@pool.example:3333')).toContain('stands for your own address')
})

it('never repeats a password in an error', () => {
  expect(fault('stratum+tcp://u:hunter2@h:0')).not.toContain('hunter2')
  expect(fault('stratum+tcp://u:hunter2%zz@h:1')).not.toContain('hunter2')
})

it.each([
  ['bad', 'all'],
  ['ftp://h:1', 'scheme'],
  ['stratum+tcp://u:p%zz@h:1', 'login'],
  ['stratum+tcp://:1', 'host'],
  ['stratum+tcp://h', 'port'],
  ['stratum+tcp://h:0', 'port'],
  ['stratum+tcp://h:1?pool=x', 'switch'],
])('names the part of %s that is wrong: %s', (text, part) => {
  expect(parsePoolUrl(text)).toMatchObject({ part })
})

it.each([
  ['stratum+tcp://u.w:pass@h:1/a@b.c?diff=hashes', 'stratum+tcp://u.w:***@h:1/a@b.c?diff=hashes'],
  ['stratum+tcp://`a:b`:c@h:1', 'stratum+tcp://`a:b`:***@h:1'],
  ['http://u:p@h', 'http://u:***@h'],
  ['stratum+tcp://u@h:1', 'stratum+tcp://u@h:1'],
  ['bad', 'bad'],
])('masks only the password of %s', (text, masked) => {
  expect(maskedText(text)).toBe(masked)
})

it.each([
  ['stratum+tcp://u.w2:***@h:1/x?diff=classic', 'stratum+tcp://u.w2:p%40ss@h:1/x?diff=classic'],
  ['stratum+tls://v:***@h:1', 'stratum+tls://v:p%40ss@h:1'],
  ['stratum+tcp://u:other@h2:1', 'stratum+tcp://u:other@h2:1'],
  ['stratum+tcp://u@h2:1', 'stratum+tcp://u@h2:1'],
  ['stratum+tcp://u:***@h2:1', null],
  ['stratum+tcp://u:***@h:2', null],
  ['stratum+tcp://u:***@h', null],
])('fills in a masked password only where it belonged: %s', (text, filled) => {
  expect(withPasswordOf(text, 'stratum+tcp://u:p%40ss@h:1')).toBe(filled)
})

it('never takes a password from an encrypted or verified connection', () => {
  expect(withPasswordOf('stratum+tcp://u:***@h:1', 'stratum+tls://u:p@h:1')).toBeNull()
  expect(withPasswordOf('stratum+tls://u:***@h:1?verify=0', 'stratum+tls://u:p@h:1')).toBeNull()
  expect(withPasswordOf('stratum+tls://u:***@h:1', 'stratum+tls://u@h:1')).toBeNull()
})

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'

it.each([
  ['foo://user.w:sec:ret@h@host:x', 'foo://user.w:***@host:x'],
  ['stratum+tcp://u:a:b@h:1', 'stratum+tcp://u:***@h:1'],
  ['stratum+tcp://h:1?proxy=socks5://u:hunter2@p:9050', 'stratum+tcp://h:1?proxy=socks5://u:***@p:9050'],
  ['u:hunter2@h', 'u:***@h'],
  ['nonsense', 'nonsense'],
])('shows %s without a password, valid or not', (text, shown) => {
  expect(shownPool(text)).toBe(shown)
})

it('keeps the password of a proxy as long as it is the same proxy', () => {
  const known = 'stratum+tcp://u:p@h:1?proxy=socks5%3A%2F%2Fme%3Ase%2540cret%40127.0.0.1%3A9050'
  const shown = maskedText(known)

  expect(shown).toBe('stratum+tcp://u:***@h:1?proxy=socks5%3A%2F%2Fme%3A***%40127.0.0.1%3A9050')
  expect(withPasswordOf(shown, known)).toBe(known)
  expect(withPasswordOf(shown.replace('9050', '9051'), known)).toBeNull()
  expect(good(known).proxy?.login?.password.reveal()).toBe('se@cret')
})

it('reads a proxy, and requires one for a name of Tor', () => {
  expect(good('stratum+tcp://u@abc.onion:1?proxy=socks5h://[::1]:9050').proxy).toEqual({
    host: '::1',
    port: 9050,
    login: null,
  })
  expect(fault('stratum+tcp://u@abc.onion:1')).toContain('through Tor only')
  expect(fault('stratum+tcp://u@h:1?proxy=socks4://h:1')).toContain('the proxy is not socks5://')
  expect(fault('stratum+tcp://u@h:1?proxy=socks5://h')).toContain('the proxy is not socks5://')
})

it.each([
  { user: ADDRESS, worker: 'rig.1', password: 'p:@/?#%' },
  { user: 'me@mail.example', worker: 'rig1', password: '' },
  { user: 'me@host', worker: 'r/1', password: 'x' },
  { user: ADDRESS, worker: 'rig1/me@mail.example', password: 'x' },
  { user: 'a.b:c/d`e', worker: '', password: '`' },
  { user: 'käse', worker: '矿机 1', password: ' ' },
])('takes fields literally, and gives them back: $user', (fields) => {
  for (const address of ['stratum2+tls://pool.example:3333', 'getwork://pool.example/path?verify=0#x']) {
    const whole = withFields(address, { ...fields, proxy: 'socks5://u:p@127.0.0.1:9050' })
    if ('fault' in whole) throw new Error(whole.fault)
    const { user, worker, password, proxy } = good(whole.text)

    expect({ user, worker, password: password?.reveal() ?? '' }).toEqual(fields)
    expect(proxy).toMatchObject({ host: '127.0.0.1', port: 9050 })
    expect(fieldsOf(whole.text)).toEqual({ address, ...fields, proxy: 'socks5://u:p@127.0.0.1:9050' })
  }
})

it('refuses two different logins for one pool, and takes a default only where there is none', () => {
  const own = `stratum+tcp://${ADDRESS}:x@h:1`

  expect(withFields(own, { user: 'else' })).toMatchObject({ fault: expect.stringContaining('given twice') })
  expect(withFields(own, { user: 'else', password: 'y' }, true)).toEqual({ text: own })
  expect(withFields(own, { user: ADDRESS, worker: 'w' }, true)).toEqual({ text: `stratum+tcp://${ADDRESS}.w:x@h:1` })
  expect(withFields('http://node:8545', { user: 'else', password: 'y' }, true)).toEqual({ text: 'http://node:8545' })
  expect(JSON.stringify(withFields('stratum+tcp://u:hunter2@h:1', { password: 'other3' }))).not.toMatch(
    /hunter2|other3/,
  )
})

it('refuses a field that is no text', () => {
  for (const user of ['a\nb', '\ud800'])
    expect(withFields('stratum+tcp://h:1', { user })).toMatchObject({ fault: expect.stringContaining('user') })
})

it('says what the pool will see, without the password', () => {
  expect(loginSeen(good(`stratum+tcp://${ADDRESS}.rig:secret@h:1/me@mail.example`))).toEqual({
    login: `${ADDRESS}/me@mail.example`,
    worker: 'rig',
    password: 'set',
  })
})

it('gives back every login from the address made of it, and throws at no text', () => {
  const field = fc.string({ unit: 'grapheme', maxLength: 12 })
  const piece = fc.oneof(fc.constantFrom(...'@:./?#`%[]&', '%40', '%2e', ':1', 'proxy=', 'socks5://', '***'), field)
  fc.assert(
    fc.property(field, field, field, fc.array(piece, { maxLength: 12 }), (user, worker, password, pieces) => {
      const text = `stratum+tcp://${pieces.join('')}`
      parsePoolUrl(text)
      withPasswordOf(text, shownPool(maskedText(text)))
      const whole = withFields('stratum+tcp://h:1', { user, worker, password })
      if ('text' in whole) expect(fieldsOf(whole.text)).toMatchObject({ user, worker, password })
    }),
    { numRuns: 2_000 },
  )
})

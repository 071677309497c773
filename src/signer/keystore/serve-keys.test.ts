import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { createWireClient, type WireClient } from '../../base/wire/client'
import { memoryTransportPair } from '../../base/wire/memory'
import { plainPassword } from '../vault-wire'
import { type KeysWire, keysWire } from './keys-wire'
import { serveKeys } from './serve-keys'
import { textToSign } from './testing/contents'

const CONTENT = JSON.stringify(textToSign().content)
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text))
const plain = (text: string) => plainPassword(utf8(text))

/** Directly on the wire: what is sent is the very array that the worker wipes. */
function aWorker(random: (length: number) => Uint8Array = randomBytes): WireClient<KeysWire> {
  const [ours, theirs] = memoryTransportPair()
  serveKeys(theirs, { log: silentLogger, clock: new FakeClock(), randomBytes: random })
  return createWireClient(keysWire, ours)
}

const isWiped = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

describe('the key worker', () => {
  it('wipes password and key after each call', async () => {
    const keys = aWorker()
    const secret = new Uint8Array(randomBytes(32))
    const passwords = ['one password', 'one password', 'one password'].map(utf8)
    const [first = secret, second = secret, third = secret] = passwords

    const { keyFile, address } = await keys.call('import', {
      secret: plainPassword(secret),
      password: plainPassword(first),
      strength: 'light',
    })
    await keys.call('sign', { keyFile, address, password: second, content: CONTENT, alone: true })
    await keys.call('verify', { keyFile, address, password: plainPassword(third) })

    expect([secret, first, second, third].map(isWiped)).toEqual([true, true, true, true])
  })

  it('wipes the password of a call that failed', async () => {
    const keys = aWorker()
    const password = utf8('one password')

    const given = { keyFile: 'not a file', address: `0x${'1'.repeat(40)}`, password: plainPassword(password) }
    const call = keys.call('verify', given)

    await expect(call).rejects.toMatchObject({ code: 'KEYSTORE_FILE_INVALID' })
    expect(isWiped(password)).toBe(true)
  })

  it('distinguishes a wrong password from a file of another account', async () => {
    const keys = aWorker()
    const { keyFile, address } = await keys.call('create', { password: plain('one password'), strength: 'light' })

    const calls = await Promise.allSettled([
      keys.call('verify', { keyFile, address, password: plain('another password') }),
      keys.call('verify', { keyFile, address: `0x${'1'.repeat(40)}`, password: plain('one password') }),
    ])

    expect(calls).toMatchObject([
      { reason: { code: 'KEYSTORE_WRONG_PASSWORD' } },
      { reason: { code: 'KEYSTORE_KEY_MISMATCH' } },
    ])
  })

  it('also slows guesses down that come all at once', async () => {
    const keys = aWorker()
    const { keyFile, address } = await keys.call('create', { password: plain('one password'), strength: 'light' })
    const guesses = Array.from({ length: 12 }, (_, i) => utf8(`guess number ${i}`))

    const calls = await Promise.allSettled(
      guesses.map((guess) => keys.call('verify', { keyFile, address, password: plainPassword(guess) })),
    )

    const codes = calls.map((call) => (call.status === 'rejected' ? call.reason.code : ''))
    expect(codes.filter((code) => code === 'KEYSTORE_WRONG_PASSWORD').length).toBeLessThanOrEqual(7) // five are free, and two are in progress at once
    expect(codes.filter((code) => code === 'KEYSTORE_TOO_MANY_TRIES').length).toBeGreaterThanOrEqual(5)
    expect(guesses.every(isWiped)).toBe(true)
  })

  it("takes the next random value if the first isn't a key", async () => {
    const values = [new Uint8Array(32), new Uint8Array(32).fill(0xff), new Uint8Array(32).fill(7)]
    const keys = aWorker((length) => (length === 32 ? (values.shift() ?? randomBytes(32)) : randomBytes(length)))

    const made = await keys.call('create', { password: plain('one password'), strength: 'light' })

    expect(values).toEqual([])
    expect(made.address).toMatch(/^0x[0-9a-f]{40}$/)
  })

  it.each([
    ['a zero key', { secret: plainPassword(new Uint8Array(32)) }, 'KEYSTORE_SECRET_INVALID'],
    ['a short key', { secret: plainPassword(new Uint8Array(31).fill(1)) }, 'KEYSTORE_SECRET_INVALID'],
    ['a huge password', { password: plainPassword(new Uint8Array(5_000)) }, 'CONTRACT_INVALID'],
    ['an unknown strength', { strength: 'none' as 'light' }, 'CONTRACT_INVALID'],
  ])('refuses to import %s', async (_what, change, code) => {
    const keys = aWorker()
    const secret = plainPassword(new Uint8Array(32).fill(1))
    const good = { secret, password: plain('one password'), strength: 'light' as const }

    await expect(keys.call('import', { ...good, ...change })).rejects.toMatchObject({ code })
  })

  it('answers with a signature that reveals no key material', async () => {
    const keys = aWorker()
    const secret = new Uint8Array(randomBytes(32))
    const hex = Buffer.from(secret).toString('hex')

    const given = { secret: plainPassword(secret), password: plain('one password'), strength: 'light' } as const
    const made = await keys.call('import', given)
    const { signature } = await keys.call('sign', {
      ...made,
      password: utf8('one password'),
      content: CONTENT,
      alone: false,
    })

    expect(signature).toHaveLength(65)
    expect(`${JSON.stringify(made)}${Buffer.from(signature).toString('hex')}`).not.toContain(hex)
  })

  it.each([
    ['a digest', { digest: new Uint8Array(32).fill(1) }, 'CONTRACT_INVALID'],
    [
      'a digest beside an empty content',
      { digest: new Uint8Array(32).fill(1), content: '' },
      'KEYSTORE_CONTENT_INVALID',
    ],
    [
      'a digest as content',
      { content: JSON.stringify({ kind: 'digest', digest: '0x11' }) },
      'KEYSTORE_CONTENT_INVALID',
    ],
    ['bytes as content', { content: new Uint8Array(32) }, 'CONTRACT_INVALID'],
    [
      'data that is no text',
      { content: '{"kind":"data","contentType":"text/plain","data":7}' },
      'KEYSTORE_CONTENT_INVALID',
    ],
    [
      'what the frame would replace',
      { content: '{"kind":"data","contentType":"text/plain","data":{"$bytes":[0,9]}}' },
      'KEYSTORE_CONTENT_INVALID',
    ],
    [
      'a transaction with a number',
      { content: '{"kind":"transaction","chainId":"1","transaction":{"nonce":1}}' },
      'KEYSTORE_CONTENT_INVALID',
    ],
    [
      'a chain id that is no number',
      { content: '{"kind":"transaction","chainId":"0x1","transaction":{}}' },
      'KEYSTORE_CONTENT_INVALID',
    ],
    [
      'more than one content',
      { content: '{"kind":"data","contentType":"","data":"0x","digest":"0x11"}' },
      'KEYSTORE_CONTENT_INVALID',
    ],
    [
      'a document without types',
      { content: '{"kind":"typed","document":{"primaryType":"A","message":{"a":1}}}' },
      'KEYSTORE_CONTENT_INVALID',
    ],
  ])('never signs %s, with a password or unlocked', async (_what, change, code) => {
    const keys = aWorker()
    const made = await keys.call('create', { password: plain('one password'), strength: 'light' })
    await keys.call('unlock', { ...made, password: utf8('one password') })
    const given = change as { content: string }

    const signing = keys.call('sign', { ...made, password: utf8('one password'), alone: true, ...given })
    await expect(signing).rejects.toMatchObject({ code })
    await expect(keys.call('signUnlocked', { address: made.address, token: null, ...given })).rejects.toMatchObject({
      code,
    })
  })
})

// A sign-in text is compared with its caller, its signer, and the time.
import { describe, expect, it } from 'vitest'
import { type SignInPlace, signInFindings } from './data-rules'

const ADDRESS = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'
const NOW = Date.UTC(2026, 0, 2)
const PLACE: SignInPlace = { origin: 'https://shop.example', address: ADDRESS, chainId: 2110n, now: NOW }
const TEXT = `shop.example wants you to sign in with your Ethereum account:
${ADDRESS}

I accept the terms.

URI: https://shop.example/login
Version: 1
Chain ID: 2110
Nonce: 32891756abc
Issued At: 2026-01-01T23:59:00Z
Expiration Time: 2026-01-03T00:00:00Z
Resources:
- ipfs://terms`

const found = (text: string, place: Partial<SignInPlace> = {}): readonly string[] =>
  signInFindings(text, { ...PLACE, ...place }).map(({ severity, message }) => `${severity}: ${message}`)
const changed = (from: string | RegExp, to: string): string => TEXT.replace(from, to)

describe('a sign-in', () => {
  it.each([
    ['as it should be', TEXT],
    ['with a scheme', `https://${TEXT}`],
    ['without a statement', changed('I accept the terms.\n\n', '')],
    ['with an empty statement', changed('I accept the terms.', '')],
    ['in capitals', changed('shop.example wants', 'SHOP.example wants')],
  ])('%s needs no warning', (_how, text) => {
    expect(found(text)).toEqual([])
  })

  it("is recognized only as such: other texts aren't parsed", () => {
    expect(found('Please sign in.')).toEqual([])
  })

  it.each<readonly [string, string, Partial<SignInPlace>, RegExp]>([
    [
      'asked for by another page',
      TEXT,
      { origin: 'https://evil.example' },
      /CRITICAL: .* shop\.example, but evil\.example asks/,
    ],
    ['asked for by a page below its domain', TEXT, { origin: 'https://a.shop.example' }, /CRITICAL: .*asks for it/],
    ['asked for at another port', TEXT, { origin: 'https://shop.example:8443' }, /CRITICAL: .*asks for it/],
    ['asked for by a sandboxed page', TEXT, { origin: 'null' }, /WARNING: .*isn't known/],
    ['asked for by a program', TEXT, { origin: '' }, /WARNING: .*isn't known/],
    [
      'for a page elsewhere',
      changed('https://shop.example/login', 'https://evil.example/'),
      {},
      /CRITICAL: .*but for evil\.example/,
    ],
    [
      'with the domain as a user name',
      changed('https://shop.example/', 'https://shop.example@evil.example/'),
      {},
      /CRITICAL: .*but for evil/,
    ],
    ['as another account', changed(ADDRESS, `0x${'11'.repeat(20)}`), {}, /CRITICAL: The text signs in as 0x11/],
    ['for another chain', changed('Chain ID: 2110', 'Chain ID: 1'), {}, /CRITICAL: The text is for chain 1,/],
    [
      'for a chain that is no number',
      changed('Chain ID: 2110', 'Chain ID: 0x83e'),
      {},
      /CRITICAL: The text is for chain 0x83e/,
    ],
    ['with a short nonce', changed('32891756abc', '1234567'), {}, /CRITICAL: The nonce/],
    ['that expired', TEXT, { now: Date.UTC(2026, 0, 3) }, /CRITICAL: The sign-in expired 2026-01-03 00:00 UTC/],
    ['issued in the future', changed('2026-01-01T23:59', '2026-01-02T23:59'), {}, /WARNING: .*later than now/],
    [
      'not valid yet',
      changed('Resources:', 'Not Before: 2026-01-02T12:00:00Z\nResources:'),
      {},
      /WARNING: .*not valid before/,
    ],
    ['without an end', changed(/Expiration.*\n/, ''), {}, /Info: The sign-in does not say when it expires/],
    ['without a nonce', changed(/Nonce.*\n/, ''), {}, /WARNING: .*it has no Nonce/],
    ['with two chains', changed('Nonce', 'Chain ID: 1\nNonce'), {}, /WARNING: .*Chain ID twice/],
    ['with two pages', changed('Version', 'URI: https://evil.example\nVersion'), {}, /WARNING: .*URI twice/],
    ['with fields behind its resources', `${TEXT}\nChain ID: 1`, {}, /WARNING: .*Chain ID twice/],
    [
      'with a statement of several lines',
      changed('the terms.', 'the terms.\nURI: https://evil.example'),
      {},
      /WARNING: .*isn't one/,
    ],
    ['with other line ends', TEXT.replaceAll('\n', '\r\n'), {}, /WARNING: .*isn't one/],
    [
      'with a lookalike domain',
      changed('shop.example wants', 'sh\u043ep.example wants'),
      {},
      /WARNING: .*no plain domain/,
    ],
    ['with other spaces', changed('to sign in', 'to  sign in'), {}, /WARNING: .*isn't one/],
    [
      'with a time that is none',
      changed('2026-01-03T00:00:00Z', 'tomorrow'),
      {},
      /WARNING: .*Expiration Time is no time/,
    ],
  ])('%s is reported', (_how, text, place, expected) => {
    expect(found(text, place)).toContainEqual(expect.stringMatching(expected))
  })
})

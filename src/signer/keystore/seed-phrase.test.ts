import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { HDNodeWallet } from 'ethers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checksumAddress } from '../../base/checksum-address'
import { toHex } from '../../base/hex'
import { addressOfSecret } from './secret-key'
import { FIRST_ACCOUNT_PATH, readSeedPhrase, secretOfPhrase } from './seed-phrase'

const ABOUT = `${'abandon '.repeat(11)}about`
const JUNK = `${'test '.repeat(11)}junk`

describe('a seed phrase', () => {
  it.each([
    [ABOUT, "m/44'/60'/0'/0/0", '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    [JUNK, "m/44'/60'/0'/0/0", '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    [JUNK, "m/44'/60'/0'/0/1", '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  ])('has its published account: %s at %s', (phrase, path, address) => {
    expect(checksumAddress(addressOfSecret(secretOfPhrase(phrase, path)))).toBe(address)
  })

  it('gives the key that ethers derives, whatever its length and path', () => {
    const entropy = fc
      .constantFrom(16, 20, 24, 28, 32)
      .chain((size) => fc.uint8Array({ minLength: size, maxLength: size }))
    const step = fc.tuple(fc.nat(2 ** 31 - 1), fc.boolean()).map(([index, isHard]) => `/${index}${isHard ? "'" : ''}`)
    const path = fc.array(step, { minLength: 1, maxLength: 5 }).map((steps) => `m${steps.join('')}`)
    fc.assert(
      fc.property(entropy, path, (bytes, at) => {
        const phrase = entropyToMnemonic(bytes, wordlist)
        expect(toHex(secretOfPhrase(phrase, at))).toBe(HDNodeWallet.fromPhrase(phrase, '', at).privateKey)
      }),
      { numRuns: 15 },
    )
  })

  it("is parsed over lines and in capitals; other texts aren't seed phrases", () => {
    expect(readSeedPhrase(` ${ABOUT.toUpperCase().replaceAll(' ', ' \n')}\n`)).toBe(ABOUT)
    for (const text of [
      '',
      'abandon',
      '46'.repeat(32),
      '{"address":"0x12"}',
      `${ABOUT} about`,
      ABOUT.replace('about', 'ab0ut'),
    ]) {
      expect(readSeedPhrase(text)).toBeNull()
    }
  })

  const strangePaths = ['', 'm', '44/60', 'm/44x', 'm/-1', 'm/2147483648', 'm/1e3', `m${'/1'.repeat(11)}`]
  const refused: readonly (readonly [phrase: string, path: string, reason: string])[] = [
    [`${'abandon '.repeat(11)}ability`, FIRST_ACCOUNT_PATH, 'its checksum is wrong'],
    [`${'abandon '.repeat(10)}parallax about`, FIRST_ACCOUNT_PATH, 'word 11 is not on the English list'],
    ...strangePaths.map((path) => [ABOUT, path, 'is not like'] as const),
  ]
  it.each(["m/44h/60H/0'/0/0", 'm/44h/60h/0h/0/0'])('knows hardened indexes as %s', (path) => {
    expect(secretOfPhrase(ABOUT, path)).toEqual(secretOfPhrase(ABOUT, FIRST_ACCOUNT_PATH))
  })

  it.each(refused)('is rejected with the reason and none of its words: %s at %s', (phrase, path, reason) => {
    expect(() => secretOfPhrase(phrase, path)).toThrow(reason)
    expect(() => secretOfPhrase(phrase, path)).not.toThrow(/abandon|ability|parallax/)
  })
})

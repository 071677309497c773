// Key files of others of the family: theirs unlock here, ours unlock there.
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import keythereum from 'keythereum'
import { describe, expect, it } from 'vitest'
import { toBareHex } from '../../src/base/hex'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { memoryTransportPair } from '../../src/base/wire/memory'
import { KeyClient } from '../../src/signer/keystore/key-client'
import { addressOfSecret, recoverAddress } from '../../src/signer/keystore/secret-key'
import { serveKeys } from '../../src/signer/keystore/serve-keys'
import { textToSign } from '../../src/signer/keystore/testing/contents'
import { VECTORS } from './harness'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const fileOf = (folder: string, part: string): string => {
  const path = join(VECTORS, 'keystores', folder)
  const name = readdirSync(path).find((candidate) => candidate.includes(part))
  return readFileSync(join(path, name ?? part), 'utf8')
}

function inThread(): KeyClient {
  return new KeyClient(() => {
    const [ours, theirs] = memoryTransportPair()
    serveKeys(theirs, { log: silentLogger, clock: systemClock(), randomBytes })
    return ours
  })
}

const WHAT = textToSign()

/** Folder, part of the file name, address, password (test/vectors/signer). */
const FILES = [
  ['main', '9d8a62f6', '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f', 'correct horse A1'],
  ['main', 'f17ee06e', '0xf17ee06e07cb7d588cf90faee0a102f0b49b6e72', 'pässwörd ünïcødé 密码'],
  ['odd', '2835d8d9', '0x2835d8d9e47208f250208e5f52a4ef9c937866a2', 'zero x prefix'],
  ['kdf', 'cc448944', '0xcc4489447e235d0f8a6bee5e06c8f4a515dcec83', 'standard scrypt key'],
  ['kdf', '008aeeda', '0x008aeeda4d805471df9b2a5b0f38a0c3bcba786b', 'testpassword'],
  ['kdf', 'f28b7be2', '0xf28b7be2335943cd5f92579eed20d9acef2d8029', 'scrypt r=1 p=8 key'],
] as const

describe('key files of the family', () => {
  it.each(FILES)('opens and signs with %s/%s', async (folder, part, address, password) => {
    const keys = inThread()

    const signature = await keys.sign({ keyFile: fileOf(folder, part), address, password: utf8(password) }, WHAT)

    expect(recoverAddress(WHAT.digest, signature)).toBe(address)
    keys.close()
  })

  it.each([
    [{ kdf: 'scrypt', cipher: 'aes-128-ctr', kdfparams: { n: 4096, r: 8, p: 1, dklen: 32 } }],
    [{ kdf: 'pbkdf2', cipher: 'aes-128-ctr', kdfparams: { c: 10_000, prf: 'hmac-sha256', dklen: 32 } }],
  ] as const)('opens what keythereum wrote: %j', async (options) => {
    const keys = inThread()
    const secret = Buffer.from('7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d', 'hex')
    const file = keythereum.dump(Buffer.from('deadbeef'), secret, randomBytes(32), randomBytes(16), options)
    const address = `0x${file.address}`

    const signature = await keys.sign({ keyFile: JSON.stringify(file), address, password: utf8('deadbeef') }, WHAT)

    expect(recoverAddress(WHAT.digest, signature)).toBe(address)
    keys.close()
  })

  it('writes files that keythereum opens, for a new key and for an imported one', async () => {
    const keys = inThread()
    const secret = randomBytes(32)

    const made = await keys.create(utf8('a fine password'), 'light')
    const imported = await keys.import(secret, utf8('cafe'), 'light')

    const opened = keythereum.recover(Buffer.from('a fine password'), JSON.parse(made.keyFile))
    expect(addressOfSecret(opened)).toBe(made.address)
    expect(toBareHex(keythereum.recover(Buffer.from('cafe'), JSON.parse(imported.keyFile)))).toBe(toBareHex(secret))
    expect(imported.address).toBe(addressOfSecret(secret))
    keys.close()
  })

  it("writes standard files with the family's strength", async () => {
    const keys = inThread()

    const { keyFile, address } = await keys.create(utf8('a fine password'), 'standard')

    expect(JSON.parse(keyFile).crypto.kdfparams).toMatchObject({ n: 262_144, r: 8, p: 1, dklen: 32 })
    await keys.verify({ keyFile, address, password: utf8('a fine password') })
    keys.close()
  })
})

import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checksumAddress } from '../../base/checksum-address'
import { toHex } from '../../base/hex'
import { silentLogger } from '../../base/logger'
import { systemClock } from '../../base/time'
import { KeyClient } from '../../signer/keystore/key-client'
import { addressOfSecret, recoverAddress } from '../../signer/keystore/secret-key'
import { serveKeys } from '../../signer/keystore/serve-keys'
import { textToSign } from '../../signer/keystore/testing/contents'
import { portTransport } from '../workers/worker-environment'
import { LocalKeystore } from './local-keystore'

const clock = systemClock()
const signal = new AbortController().signal
const secrets = [5, 6].map((fill) => new Uint8Array(32).fill(fill))
const [first = '', second = ''] = secrets.map(addressOfSecret)

const keys = () => {
  const { port1, port2 } = new MessageChannel()
  serveKeys(portTransport(port2), { log: silentLogger, clock, randomBytes })
  return portTransport(port1)
}

describe('key files of a standalone node', () => {
  let root = ''
  let keystore: LocalKeystore | null = null
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'headframe-keystore-'))
    mkdirSync(join(root, 'keystore'))
    const client = new KeyClient(keys)
    for (const [index, secret] of secrets.entries()) {
      const made = await client.import(secret, new TextEncoder().encode(`password ${index}`), 'light')
      writeFileSync(join(root, 'keystore', `key-${index}`), made.keyFile)
    }
    client.close()
  })
  afterEach(async () => {
    await keystore?.stop()
    keystore = null
    rmSync(root, { recursive: true })
  })

  const make = (unlock: readonly string[], passwords: string | null) => {
    if (passwords !== null) writeFileSync(join(root, 'passwords'), passwords)
    keystore = new LocalKeystore(
      {
        folder: join(root, 'keystore'),
        auditLog: join(root, 'audit.log'),
        unlock,
        passwordFile: passwords === null ? null : join(root, 'passwords'),
      },
      { keys, clock, log: silentLogger, randomBytes },
    )
    return keystore
  }

  it('are listed, and unlocked only if named', async () => {
    const held = make([], null)
    await held.start(signal)

    expect(held.addresses().map(toHex).sort()).toEqual([first, second].sort())
    expect(held.unlocked.has(first)).toBe(false)
  })

  it('are unlocked with one password per line, and each use is on record first', async () => {
    const held = make([first, second], 'password 0\r\npassword 1\n')
    await held.start(signal)
    const what = textToSign()

    const signature = await held.unlocked.sign(second, what, {
      method: 'eth_sign',
      asker: '1.2.3.4:5',
      summary: 'it',
    })

    expect(recoverAddress(what.digest, signature)).toBe(second)
    const record = readFileSync(join(root, 'audit.log'), 'utf8')
    expect(record).toContain('approvedByConfiguration')
    expect(record).toContain('1.2.3.4:5')
    expect(record).not.toContain('password 1')
  })

  it.each([
    ['a wrong password', [first], 'password 1\n', /could not decrypt/],
    ['an account without a file', ['0x'.padEnd(42, '1')], 'x\n', /unknown account/],
  ])("don't start with %s", async (_name, unlock, passwords, message) => {
    const starting = make(unlock, passwords).start(signal)
    await expect(starting).rejects.toThrow(message)
    await expect(starting).rejects.toThrow(`--unlock ${checksumAddress(unlock.at(-1) ?? '')}: `)
  })

  it('name an unreadable password file', async () => {
    const held = make([first], 'x')
    rmSync(join(root, 'passwords'))

    await expect(held.start(signal)).rejects.toMatchObject({ code: 'HOST_PASSWORD_FILE' })
  })
})

// The standalone built node with key files: accounts unlocked by --unlock sign without asking, the others say what is
// missing.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOfHex } from '../../src/base/hex'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { memoryTransportPair } from '../../src/base/wire/memory'
import type { Backend } from '../../src/host/backend'
import { KeyClient } from '../../src/signer/keystore/key-client'
import { serveKeys } from '../../src/signer/keystore/serve-keys'
import { ask } from '../json-rpc'
import { makeBackend, notBuilt, ROOT, temporaryDataDir } from './backend-fixture'

const VECTORS = join(ROOT, 'test/vectors/rpc')
/** Accounts 30 and 31 of chain.json. */
const OPEN = '0xb0d5ca6feb95395aef063d447c749af8e5730d8d'
const CLOSED = '0xda89845bf711598f0ce6c02349c053855e3c5a2b'
/** From the cases of test/vectors/rpc: the empty personal message, signed by the first. */
const SIGNED =
  '0xc490fb661879d7b42cfcd49b7c731a8901880ca44b3f81538a6d1e9de28f7e302f7aec2e79c64b1c31cb1be9e0db15fa2b807a6b8255aa239e32c4e6df424b061c'

async function writeKeys(folder: string): Promise<void> {
  const notes = JSON.parse(readFileSync(join(VECTORS, 'chain.json'), 'utf8')) as {
    readonly accounts: readonly { readonly address: string; readonly privateKey: string }[]
  }
  const [ours, theirs] = memoryTransportPair()
  serveKeys(theirs, { log: silentLogger, clock: systemClock(), randomBytes })
  const client = new KeyClient(() => ours)
  mkdirSync(folder)
  for (const { address, privateKey } of notes.accounts) {
    if (![OPEN, CLOSED].includes(address.toLowerCase())) continue
    const made = await client.import(bytesOfHex(privateKey, 32), new TextEncoder().encode('test'), 'light')
    writeFileSync(join(folder, `key-${made.address}`), made.keyFile, { mode: 0o600 })
  }
  client.close()
}

describe.skipIf(notBuilt !== null)('headframe node with --unlock', () => {
  const data = temporaryDataDir()
  let backend: Backend
  beforeAll(async () => {
    const keystore = join(data.dir, 'my-keys')
    const password = join(data.dir, 'password')
    await writeKeys(keystore)
    writeFileSync(password, 'test\n')
    const words = [
      '--genesis',
      join(VECTORS, 'genesis.json'),
      '--mine=false',
      '--maxpeers',
      '0',
      '--http',
      '--keystore',
      keystore,
    ]
    backend = (await makeBackend(data.dir, [...words, '--unlock', OPEN, '--password', password], 'node')).backend
    await backend.start(new AbortController().signal)
  })
  afterAll(async () => {
    await backend.stop()
    data.remove()
  })

  const call = (method: string, ...params: unknown[]) => ask(`http://${backend.ready().http}/`, method, params)

  it('lists all key files and signs with unlocked ones', async () => {
    expect(((await call('eth_accounts')).result as string[]).sort()).toEqual([OPEN, CLOSED])
    expect((await call('eth_sign', OPEN, '0x')).result).toBe(SIGNED)
    expect((await call('eth_sign', CLOSED, '0x')).error?.message).toBe('authentication needed: password or unlock')
  })

  it('compiles in a worker of the built program', async () => {
    const available = (await call('eth_getCompilers')).result as string[]
    const { result, error } = await call('eth_compileSolidity', 'pragma solidity ^0.8.0; contract A {}')

    if (available.length === 0) expect(error?.message).toBe('compiler not available: solidity')
    else expect(result).toMatchObject({ info: { language: 'Solidity', abiDefinition: [] } })
  })
})

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasCode } from '../../base/errors'
import { bytesOfHex } from '../../base/hex'
import { silentLogger } from '../../base/logger'
import { parseSignature } from '../abi/signature'
import { SelectorDatabase, type SelectorOptions } from './selector-database'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'selectors-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

async function loaded(change: Partial<SelectorOptions> = {}): Promise<SelectorDatabase> {
  const options = { builtin: 'minimal', customFile: join(folder, 'custom.json'), ...change } as const
  const database = new SelectorDatabase(options, { log: silentLogger })
  await database.load()
  return database
}

const RARE = bytesOfHex('0x58920597')

describe('SelectorDatabase', () => {
  it('knows more than 500 methods, each under its own selector', async () => {
    const shipped = JSON.parse(await readFile('resources/selectors/4bytes.json', 'utf8')) as Record<string, string[]>

    expect(Object.keys(shipped).length).toBeGreaterThan(500)
    for (const [selector, signatures] of Object.entries(shipped)) {
      for (const text of signatures) {
        const parsed = parseSignature(text)
        expect([Buffer.from(parsed.selector).toString('hex'), parsed.text]).toEqual([selector, text])
      }
    }
  })

  it('stores what was learned, for this user only, and reports it', async () => {
    const first = await loaded()
    first.learn(RARE, 'rareMethod(uint256)')
    await first.flush()

    expect((await stat(join(folder, 'custom.json'))).mode & 0o777).toBe(0o600)
    expect((await loaded()).find(RARE)).toEqual({ signatures: ['rareMethod(uint256)'], isLearned: true })
  })

  it('never learns another name for a known selector', async () => {
    const database = await loaded()

    database.learn(bytesOfHex('0xa9059cbb'), 'many_msg_babbage(bytes1)')
    await database.flush()

    expect(database.find(bytesOfHex('0xa9059cbb'))).toEqual({
      signatures: ['transfer(address,uint256)'],
      isLearned: false,
    })
  })

  it('never stores a name that it could not read back', async () => {
    const database = await loaded()

    database.learn(RARE, `f(${Array.from({ length: 300 }, () => 'uint256').join(',')})`)
    await database.flush()

    expect((await loaded()).find(RARE)).toBeNull()
  })

  it('names an unusable file', async () => {
    await writeFile(join(folder, 'custom.json'), '[]')

    const error = await loaded().catch((reason: unknown) => reason)

    expect(hasCode(error, 'SIGNER_SELECTORS_UNREADABLE')).toBe(true)
  })
})

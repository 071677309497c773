import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Wallet } from 'ethers'
import { afterAll, describe, expect, it } from 'vitest'
import { bytesOfHex, toHex } from '../../../base/hex'
import { checkpointText, type RequiredSettings, readCheckpoint, requiredBlocks } from './required-blocks'

const wallet = new Wallet(`0x${'17'.repeat(32)}`)
const signer = bytesOfHex(wallet.address, 20)
const genesis = new Uint8Array(32).fill(1)
const blocks = new Map([
  [7n, new Uint8Array(32).fill(7)],
  [9n, new Uint8Array(32).fill(9)],
])

interface CheckpointFile {
  readonly genesis: string
  readonly blocks: readonly { readonly number: number; readonly hash: string }[]
  readonly signature: string
}

/** As a wallet signs it. */
async function signed(): Promise<CheckpointFile> {
  const listed = [...blocks].map(([number, hash]) => ({ number: Number(number), hash: toHex(hash) }))
  return {
    genesis: toHex(genesis),
    blocks: listed,
    signature: await wallet.signMessage(checkpointText(genesis, blocks)),
  }
}

describe('a checkpoint', () => {
  it('is what a wallet signed as a text', async () => {
    expect(checkpointText(genesis, blocks)).toBe(
      `Parallax checkpoint\ngenesis 0x${'01'.repeat(32)}\n7 0x${'07'.repeat(32)}\n9 0x${'09'.repeat(32)}`,
    )
    expect(readCheckpoint(JSON.stringify(await signed()), signer)).toEqual({ ok: true, value: { genesis, blocks } })
  })

  const cases: readonly [string, (file: CheckpointFile) => unknown, RegExp][] = [
    ['another hash', (file) => ({ ...file, blocks: [{ number: 7, hash: `0x${'08'.repeat(32)}` }] }), /made by 0x/],
    ['another genesis', (file) => ({ ...file, genesis: `0x${'02'.repeat(32)}` }), /made by 0x/],
    ['falling numbers', (file) => ({ ...file, blocks: [...file.blocks].reverse() }), /want rising numbers/],
    ['one number twice', (file) => ({ ...file, blocks: [file.blocks[0], file.blocks[0]] }), /want rising numbers/],
    ['no blocks', (file) => ({ ...file, blocks: [] }), /^blocks: /],
    ['more members', (file) => ({ ...file, head: 9 }), /^Unrecognized key: "head"/],
    ['a signature that ends in 0', (file) => ({ ...file, signature: `${file.signature.slice(0, -2)}00` }), /65 bytes/],
    ['no signature of a point', (file) => ({ ...file, signature: `0x${'ff'.repeat(64)}1b` }), /^signature: /],
    ['a short signature', (file) => ({ ...file, signature: '0x00' }), /^signature: /],
    ['no object', () => null, /^want object/],
  ]
  it.each(cases)('with %s is rejected', async (_name, change, reason) => {
    const read = readCheckpoint(JSON.stringify(change(await signed())), signer)

    expect(read).toMatchObject({ ok: false, error: expect.stringMatching(reason) })
  })

  it('by someone else is rejected, with both names', async () => {
    expect(readCheckpoint(JSON.stringify(await signed()), new Uint8Array(20))).toEqual({
      ok: false,
      error: `signature: made by ${wallet.address.toLowerCase()}, want 0x${'00'.repeat(20)}`,
    })
  })
})

describe("the settings' required blocks", () => {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-checkpoint-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'checkpoint.json')
  const settings = (named: RequiredSettings['blocks'] = []): RequiredSettings => ({
    blocks: named,
    checkpoint: { file, signer },
  })

  it('are the named ones and those of the file', async () => {
    writeFileSync(file, JSON.stringify(await signed()))
    const named = { number: 3n, hash: new Uint8Array(32).fill(3) }

    expect(await requiredBlocks(settings([named]), genesis)).toEqual(new Map([[3n, named.hash], ...blocks]))
  })

  it('fail for another chain, for contradictions, and for a file that is missing or too long', async () => {
    writeFileSync(file, JSON.stringify(await signed()))
    await expect(requiredBlocks(settings(), new Uint8Array(32))).rejects.toThrow(/--checkpoint .*genesis 0x01/)
    const contrary = { number: 7n, hash: new Uint8Array(32) }
    await expect(requiredBlocks(settings([contrary]), genesis)).rejects.toThrow(/block 7 is 0x07/)
    writeFileSync(file, ' '.repeat(70_000))
    await expect(requiredBlocks(settings(), genesis)).rejects.toThrow(/70000 bytes, want at most 65536/)
    rmSync(file)
    await expect(requiredBlocks(settings(), genesis)).rejects.toThrow(/no such file/)
  })
})

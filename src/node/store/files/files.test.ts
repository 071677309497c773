import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkFiles } from './check-files'
import { crc32c, nativeCrc32c } from './table-file'

describe('CRC-32C', () => {
  // RFC 3720, B.4
  it.each<[string, Uint8Array, number]>([
    ['32 zero bytes', new Uint8Array(32), 0x8a9136aa],
    ['32 bytes of 0xff', new Uint8Array(32).fill(0xff), 0x62a8ab43],
    ['rising bytes', Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
    ['123456789', new TextEncoder().encode('123456789'), 0xe3069283],
  ])('of %s', (_name, bytes, expected) => expect(crc32c(bytes)).toBe(expected))

  it.skipIf(nativeCrc32c() === null)('is the same by the addon, at every length and place', () => {
    const bytes = Uint8Array.from({ length: 300 }, (_, at) => (at * at * 7 + at) & 0xff)
    const parts = Array.from({ length: 280 }, (_, length) => bytes.subarray(length % 17, (length % 17) + length))

    expect(parts.map((part) => nativeCrc32c()?.(part))).toEqual(parts.map(crc32c))
  })
})

describe('the files of a database', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'headframe-files-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Values of one letter are compressed, the others aren't; `late` ones stay in the log. */
  const filled = async (early: number, late: number): Promise<void> => {
    const db = new ClassicLevel<string, string>(folder)
    const value = (i: number): string =>
      i % 2 === 0 ? 'x'.repeat(300) : Array.from({ length: 40 }, (_, j) => (i * 7919 * (j + 3)).toString(36)).join('')
    await db.batch(Array.from({ length: early }, (_, i) => ({ type: 'put', key: `key ${i}`, value: value(i) })))
    await db.compactRange('a', 'z')
    for (let i = 0; i < late; i++) await db.put(`late ${i}`, value(i))
    await db.close()
  }
  const named = (pattern: RegExp): string => {
    const name = readdirSync(folder).find((file) => pattern.test(file) && readFileSync(join(folder, file)).length > 0)
    if (name === undefined) throw new Error('no such file')
    return join(folder, name)
  }
  const flip = (file: string, at: number): void => {
    const bytes = readFileSync(file)
    bytes[at] = (bytes[at] ?? 0) ^ 0x20
    writeFileSync(file, bytes)
  }

  it('are whole as written', async () => {
    await filled(400, 20)
    expect(await checkFiles(folder)).toEqual([])
    expect(await checkFiles(join(folder, 'not-there'))).toEqual([])
  })

  it('with any byte of a table flipped are damaged', async () => {
    await filled(400, 0)
    const file = named(/\.ldb$/)
    const whole = readFileSync(file)
    // Only the padding of the footer belongs to nothing.
    for (let at = 0; at < whole.length - 48; at += 997) {
      flip(file, at)
      expect(await checkFiles(folder), `byte ${at}`).toHaveLength(1)
      writeFileSync(file, whole)
    }
    flip(file, whole.length - 1)
    expect(await checkFiles(folder)).toMatchObject([{ reason: 'its end is not that of a table', blocks: [] }])
    writeFileSync(file, whole.subarray(0, whole.length - 9))
    expect(await checkFiles(folder)).toHaveLength(1)
  })

  it('exclude part of a table left by a cut-off compaction, which the next start deletes', async () => {
    await filled(400, 20)
    const left = join(folder, '000999.ldb')
    writeFileSync(left, readFileSync(named(/\.ldb$/)).subarray(0, 2_000))

    expect(await checkFiles(folder)).toEqual([])

    const db = new ClassicLevel<string, string>(folder)
    await db.open()
    await db.close()
    expect(existsSync(left)).toBe(false)
  })

  it("are all checked if it isn't known which are in use", async () => {
    await filled(400, 20)
    writeFileSync(join(folder, '000999.ldb'), readFileSync(named(/\.ldb$/)).subarray(0, 2_000))

    flip(named(/^MANIFEST/), 20)
    expect(await checkFiles(folder)).toMatchObject([{ file: '000999.ldb' }])
    rmSync(join(folder, 'CURRENT'))
    expect(await checkFiles(folder)).toMatchObject([{ file: '000999.ldb' }])
  })

  it('may end in half a record, but have no hole before a whole one', async () => {
    await filled(0, 30)
    const file = named(/\.log$/)
    const whole = readFileSync(file)
    writeFileSync(file, whole.subarray(0, whole.length - 5))
    expect(await checkFiles(folder)).toEqual([])
    writeFileSync(file, whole)
    flip(file, whole.length - 5)
    expect(await checkFiles(folder)).toEqual([])
    writeFileSync(file, Buffer.concat([whole, new Uint8Array(40_000), whole.subarray(0, 9)]))
    expect(await checkFiles(folder)).toEqual([])
    // After an untrustworthy record, the rest of its 32 KiB can't be found: what comes after these reveals the hole.
    writeFileSync(file, Buffer.concat([whole, new Uint8Array(32_768 - (whole.length % 32_768)), whole]))
    flip(file, 100)
    expect(await checkFiles(folder)).toMatchObject([{ reason: expect.stringMatching(/^wrong checksum at byte \d+$/) }])
  })

  it('are checked newest first, up to a limit', async () => {
    await filled(400, 0)
    flip(named(/\.ldb$/), 10)
    expect(await checkFiles(folder, { maxTableBytes: 100 })).toEqual([])
  })
})

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ENGINE_FILE, ENGINE_FOLDER, engineStamp, stamped, stampOf } from '../../tools/lib/engine-source.mjs'

const module = readFileSync(join(ENGINE_FOLDER, ENGINE_FILE))

describe('the engine’s module', () => {
  it('is built from the Rust source as it is: after a change, run node tools/build-engine.mjs', () => {
    expect(stampOf(module)).toBe(engineStamp())
  })

  it('matches the hash beside it', () => {
    const hash = createHash('sha256').update(module).digest('hex')
    expect(readFileSync(join(ENGINE_FOLDER, `${ENGINE_FILE}.sha256`), 'utf8')).toBe(`${hash}  ${ENGINE_FILE}\n`)
  })

  it('contains no folder name of the machine that built it', () => {
    expect(module.toString('latin1')).not.toMatch(/\/(?:root|home|work|Users|tmp)\//)
  })

  it('contains the license text of every locked crate that is compiled in', () => {
    const text = readFileSync(join(ENGINE_FOLDER, 'LICENCES.txt'), 'utf8')
    for (const crate of ['revm', 'ark-bn254', 'aurora-engine-modexp'])
      expect(text).toMatch(new RegExp(`^${crate} \\d`, 'm'))
  })
})

describe('the stamp of a module', () => {
  /** The shortest module: its heading alone. */
  const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)

  it('is read as it comes from the build, behind other sections', () => {
    const other = Buffer.concat([empty, Buffer.from([0, 5, 1, 0x78, 1, 2, 3])])
    const text = 'a'.repeat(300)
    const file = stamped(other, text)
    expect(stampOf(file)).toBe(text)
    expect(() => WebAssembly && new WebAssembly.Module(file)).not.toThrow()
  })

  it('is absent from a module without one', () => {
    expect(stampOf(empty)).toBeNull()
  })
})

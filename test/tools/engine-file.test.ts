import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../../resources/engine')
const name = 'headframe-engine.wasm'

describe('the engine’s module', () => {
  it('matches the hash beside it', () => {
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
    expect(readFileSync(join(folder, `${name}.sha256`), 'utf8')).toBe(`${hash}  ${name}\n`)
  })

  it('contains no folder name of the machine that built it', () => {
    const text = readFileSync(join(folder, name), 'latin1')
    expect(text).not.toMatch(/\/(?:root|home|work|Users|tmp)\//)
  })

  it('contains the license text of every locked crate that is compiled in', () => {
    const text = readFileSync(join(folder, 'LICENCES.txt'), 'utf8')
    for (const crate of ['revm', 'ark-bn254', 'aurora-engine-modexp'])
      expect(text).toMatch(new RegExp(`^${crate} \\d`, 'm'))
  })
})

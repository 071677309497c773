// The C library behind keys and signatures: its sources are the named release's, and no compiler makes its time or its
// memory accesses depend on a secret.
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { byDepth } from '../../depth'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const VENDORED = join(ROOT, 'native', 'vendor', 'libsecp256k1')
const list = z
  .object({ sha256: z.string(), files: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(`${VENDORED}.json`, 'utf8')))

const run = promisify(execFile)

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

describe('the sources of libsecp256k1', () => {
  it('are the files of the release, by their hashes, and no others', () => {
    const found = filesBelow(VENDORED).map((path) => [relative(VENDORED, path), sha256(readFileSync(path))] as const)

    expect(Object.fromEntries(found)).toEqual(list.files)
  })

  it("have the hash that the bill of materials names, over sha256sum's lines", () => {
    const lines = Object.entries(list.files).map(([path, hash]) => `${hash}  ${path}\n`)

    expect(sha256(lines.join(''))).toBe(list.sha256)
  })
})

const runs = (program: string): boolean => spawnSync(program, ['--version']).status === 0
const hasValgrind =
  process.platform === 'linux' &&
  runs('valgrind') &&
  spawnSync('gcc', ['-E', '-include', 'valgrind/memcheck.h', '-'], { input: '' }).status === 0
const COMPILERS = ['gcc', ...['', ...[13, 14, 15, 16, 19, 22].map((major) => `-${major}`)].map((end) => `clang${end}`)]
const compilers = hasValgrind ? COMPILERS.filter(runs) : []
const cases = byDepth(
  compilers.slice(0, 1).map((compiler) => [compiler, '-O3'] as const),
  compilers.flatMap((compiler) => ['-O2', '-O3'].map((level) => [compiler, level] as const)),
)
const skipped = cases.length > 0 ? '' : ' (skipped: no valgrind with its headers, or no gcc or clang)'

describe(`libsecp256k1 as the addon compiles it${skipped}`, () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'constant-time-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const flagsOf = (level: string): readonly string[] => {
    const modules = ['-DENABLE_MODULE_ECDH=1', '-DENABLE_MODULE_RECOVERY=1']
    return [level, '-gdwarf-4', '-w', '-DVALGRIND', `-I${VENDORED}`, `-I${join(VENDORED, 'src')}`, ...modules]
  }
  /** The addon's unit, compiled once for both programs. */
  const units = new Map<string, Promise<string>>()
  const unitOf = (compiler: string, level: string): Promise<string> => {
    const unit = join(folder, `${compiler}${level}.o`)
    const source = join(ROOT, 'native', 'src', 'curve', 'secp256k1.c')
    const made = units.get(unit) ?? run(compiler, [...flagsOf(level), '-c', source, '-o', unit]).then(() => unit)
    units.set(unit, made)
    return made
  }

  /** Valgrind's exit code for a program made of the addon's unit and `main`: 9 when anything depends on a secret. */
  async function checked(compiler: string, level: string, main: string): Promise<number> {
    const program = join(folder, `${compiler}${level}`)
    await run(compiler, [...flagsOf(level), await unitOf(compiler, level), main, '-o', program])
    const words = ['-q', '--error-exitcode=9', program]
    return run('valgrind', words).then(
      () => 0,
      (error: unknown) => z.object({ code: z.number() }).parse(error).code,
    )
  }

  it.each(cases)('takes no time that depends on a secret: %s %s', async (compiler, level) => {
    expect(await checked(compiler, level, join(VENDORED, 'src', 'ctime_tests.c'))).toBe(0)
  })

  it.each(cases)('would be noticed if it did: %s %s', async (compiler, level) => {
    const main = join(folder, 'leak.c')
    writeFileSync(
      main,
      `#include "include/secp256k1.h"
      #include "checkmem.h"
      int main(void) {
        unsigned char secret[32] = {1};
        secp256k1_context* context = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
        secp256k1_pubkey key;
        SECP256K1_CHECKMEM_UNDEFINE(secret, sizeof(secret));
        if (!secp256k1_ec_pubkey_create(context, &key, secret)) return 1;
        return secret[31] & 1 ? 0 : 2;
      }`,
    )
    expect(await checked(compiler, level, main)).toBe(9)
  })
})

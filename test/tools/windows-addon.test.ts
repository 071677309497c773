// The addon for Windows: Node-API's functions come from the program that loads it, drivers from the system folder.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { z } from 'zod'

const ROOT = resolve(import.meta.dirname, '../..')
const { exportedNames, hostAssembly } = z
  .object({
    exportedNames: z.custom<(texts: readonly string[]) => string[]>(),
    hostAssembly: z.custom<(names: readonly string[]) => string>(),
  })
  .parse(await import(pathToFileURL(resolve(ROOT, 'tools/cross/host-functions.mjs')).href))

const { linkArguments, mingw } = z
  .object({
    linkArguments: z.custom<(objects: readonly string[], library: string) => string[]>(),
    mingw: z.custom<() => string | null>(),
  })
  .parse(await import(pathToFileURL(resolve(ROOT, 'tools/cross/windows-addon.mjs')).href))

const COMPILER = mingw()
const ADDON = resolve(ROOT, 'native/prebuilds/win32-x64/headframe.node')
const OBJDUMP = 'x86_64-w64-mingw32-objdump'
const WHY_NOT = !existsSync(ADDON)
  ? 'not built: npm run build:windows'
  : spawnSync(OBJDUMP, ['--version']).status !== 0
    ? 'no objdump of mingw-w64'
    : ''
/** Windows' own, in its own folder. */
const SYSTEM_LIBRARIES = ['advapi32.dll', 'bcrypt.dll', 'kernel32.dll', 'msvcrt.dll', 'ntdll.dll', 'ucrtbase.dll']

it.skipIf(WHY_NOT !== '')(`needs nothing but Windows${WHY_NOT === '' ? '' : ` (${WHY_NOT})`}`, () => {
  const { stdout } = spawnSync(OBJDUMP, ['-p', ADDON], { encoding: 'utf8' })
  const libraries = [...stdout.matchAll(/DLL Name: (\S+)/g)].map(([, name = '']) => name.toLowerCase())

  expect(libraries).not.toEqual([])
  expect(libraries.filter((name) => !SYSTEM_LIBRARIES.includes(name))).toEqual([])
  expect(stdout).toMatch(/napi_register_module_v1/)
})

it.skipIf(COMPILER === null)('links to the same bytes in every folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-link-'))
  try {
    writeFileSync(join(folder, 'one.c'), '__declspec(dllexport) const char *one(void) { return "one"; }\n')
    const call = (...words: readonly string[]): void => {
      const { status, stderr } = spawnSync(COMPILER ?? '', words, { cwd: folder, encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
    }
    call('-c', 'one.c', '-o', 'one.o')
    const places = ['a', 'a-rather/longer name'].map((name) => join(folder, name))
    const [first, second] = places.map((place) => {
      mkdirSync(place, { recursive: true })
      call(...linkArguments([join(folder, 'one.o')], join(place, 'headframe.node')))
      return readFileSync(join(place, 'headframe.node'))
    })
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('reads the names of definition files, each once', () => {
  expect(exportedNames(['NAME NODE.EXE\nEXPORTS\nnapi_b\nnapi_a\n', 'NAME NODE.EXE\r\nEXPORTS\r\nnapi_a\r\n'])).toEqual(
    ['napi_a', 'napi_b'],
  )
})

it('has a name, a slot and a jump for each function, in the same order', () => {
  const lines = hostAssembly(['napi_a', 'napi_b']).split('\n')

  expect(lines.filter((line) => line.startsWith('.asciz'))).toEqual(['.asciz "napi_a"', '.asciz "napi_b"'])
  expect(lines.filter((line) => line.includes('.quad'))).toEqual(['slot_napi_a: .quad 0', 'slot_napi_b: .quad 0'])
  expect(lines).toContain('napi_b: jmp *slot_napi_b(%rip)')
})

it('looks for drivers in the Windows folder only', () => {
  const text = readFileSync(resolve(ROOT, 'native/src/dynamic_library.h'), 'utf8')

  expect(text).toContain('LOAD_LIBRARY_SEARCH_SYSTEM32')
  expect(text).not.toMatch(/LoadLibrary[AW]\(/)
})

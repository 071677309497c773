// The compiler for the addon's one C file, if a C++ compiler was named.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { z } from 'zod'

const tool = pathToFileURL(resolve(import.meta.dirname, '../../tools/build-native.mjs')).href
const { cCompilerOf } = z.object({ cCompilerOf: z.custom<(cxx: string) => string>() }).parse(await import(tool))

it.each([
  ['g++', 'gcc'],
  ['c++', 'cc'],
  ['clang++-16', 'clang-16'],
  ['/opt/bin/x86_64-linux-gnu-g++ -m64', '/opt/bin/x86_64-linux-gnu-gcc -m64'],
  ['icpx', 'icpx'],
])('%s has %s beside it', (cxx, cc) => {
  expect(cCompilerOf(cxx)).toBe(cc)
})

// The shipped PTX matches its sources, and NVIDIA's assembler accepts it. The native tests show what it computes by
// running the same sources on the CPU.
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

interface PtxBuild {
  readonly file: string
  readonly arch: string
  readonly version: string
  readonly defines: readonly string[]
}

const { CUDA_FOLDER, PTX_BUILDS, hasPtxCompiler, ptxHeading, makePtx } = z
  .object({
    CUDA_FOLDER: z.string(),
    PTX_BUILDS: z.array(z.custom<PtxBuild>()),
    hasPtxCompiler: z.custom<() => boolean>(),
    ptxHeading: z.custom<() => string>(),
    makePtx: z.custom<(build: PtxBuild) => string>(),
  })
  .parse(await import(pathToFileURL(resolve(import.meta.dirname, '../../tools/build-ptx.mjs')).href))

const SEARCHES: Record<string, readonly string[]> = {
  sm_60: ['xhash_items', 'xhash_search_4', 'xhash_search_8'],
  sm_61: ['xhash_items', 'xhash_search_4', 'xhash_search_4_dot', 'xhash_search_8', 'xhash_search_8_dot'],
  sm_80: ['xhash_items', 'xhash_search_4', 'xhash_search_4_dot', 'xhash_search_8', 'xhash_search_8_dot'],
}
const KNOWN_TO_ALL_ASSEMBLERS = 'sm_80'
const LOADS_OF_ROWS = /ld\.global\.nc\S*\.v4\.u32/g
const WITH_HINTS = ['ld.global.nc.L1::no_allocate.L2::128B.v4.u32', 'ld.global.nc.L1::no_allocate.v4.u32']
const hasAssembler = spawnSync('ptxas', ['--version']).status === 0
const shipped = (build: PtxBuild): Promise<string> => readFile(join(CUDA_FOLDER, build.file), 'utf8')

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headframe-ptx-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe.each(PTX_BUILDS)('$file', (build) => {
  it('was made from the sources beside it', async () => {
    const [heading] = (await shipped(build)).split('\n')

    expect(heading).toBe(ptxHeading())
  })

  it('has the entry points that the host looks for, for its target', async () => {
    const text = await shipped(build)

    expect([...text.matchAll(/\.entry (\w+)\(/g)].map(([, name]) => name).sort()).toEqual(SEARCHES[build.arch])
    expect(text).toContain(`.version ${build.version}\n.target ${build.arch}\n`)
  })

  it('reads rows past the first cache if its target supports it', async () => {
    const loads = new Set((await shipped(build)).match(LOADS_OF_ROWS))

    expect([...loads].sort()).toEqual(build.arch === 'sm_80' ? WITH_HINTS : ['ld.global.nc.v4.u32'])
  })

  it.skipIf(!hasPtxCompiler())('is rebuilt to the byte (skipped without its version of clang)', async () => {
    const again = makePtx(build)

    expect(again === (await shipped(build))).toBe(true)
  })

  it.skipIf(!hasAssembler)("is accepted by NVIDIA's assembler (skipped without ptxas)", () => {
    const args = ['-O3', `-arch=${KNOWN_TO_ALL_ASSEMBLERS}`, join(CUDA_FOLDER, build.file)]
    const { stderr } = spawnSync('ptxas', [...args, '-o', join(folder, 'out.cubin')], { encoding: 'utf8' })

    expect(stderr).toBe('')
  })
})

// How often instructions run is derived from backward branches; a count of a kernel with another structure is refused.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { z } from 'zod'

interface Line {
  readonly op: string
  readonly target: string | null
  readonly label: string | null
}
interface Kernel {
  readonly ops: readonly string[]
}

const toolAt = (path: string): Promise<unknown> =>
  import(pathToFileURL(resolve(import.meta.dirname, '../../tools/bench/static', path)).href)
const { loopsOf, countRuns } = z
  .object({
    loopsOf: z.custom<(lines: readonly Line[], isLoad: (op: string) => boolean) => Kernel>(),
    countRuns:
      z.custom<
        (kernel: Kernel, runs: { readonly rounds: number; readonly rows: readonly number[] }) => Map<string, number>
      >(),
  })
  .parse(await toolAt('loops.mjs'))
const { sassLine } = z
  .object({ sassLine: z.custom<(line: string) => readonly Line[]>() })
  .parse(await toolAt('nvidia.mjs'))
const { gcnLine } = z.object({ gcnLine: z.custom<(line: string) => readonly Line[]>() }).parse(await toolAt('amd.mjs'))

const isLoad = (op: string): boolean => op === 'LOAD'
/** `name:` is a label, `JUMP name` a branch. */
const kernelOf = (...words: readonly string[]): Kernel =>
  loopsOf(
    words.map((word) => {
      if (word.endsWith(':')) return { op: '', target: null, label: word.slice(0, -1) }
      const [op = '', target = null] = word.split(' ')
      return { op, target, label: null }
    }),
    isLoad,
  )

it('counts instructions in loops by how often those run', () => {
  const kernel = kernelOf('A', 'round:', 'B', 'JUMP round', 'pass:', 'C', 'row:', 'LOAD', 'JUMP row', 'JUMP pass', 'D')

  const counts = countRuns(kernel, { rounds: 22, rows: [2, 16] })

  expect([...counts]).toEqual([
    ['A', 1],
    ['B', 22],
    ['JUMP', 22 + 2 * 16 + 2],
    ['C', 2],
    ['LOAD', 32],
    ['D', 1],
  ])
})

it('treats a loop with two ends or two entries as one, and a branch to itself or ahead as none', () => {
  const ends = kernelOf('row:', 'A', 'JUMP row', 'LOAD', 'JUMP row', 'JUMP end', 'end:', 'trap:', 'JUMP trap')
  const entries = kernelOf('one:', 'A', 'two:', 'LOAD', 'JUMP one', 'B', 'JUMP two', 'C')

  expect(countRuns(ends, { rounds: 22, rows: [16] }).get('A')).toBe(16)
  expect(countRuns(ends, { rounds: 22, rows: [16] }).get('JUMP')).toBe(2 * 16 + 2)
  expect(countRuns(entries, { rounds: 22, rows: [16] })).toEqual(
    new Map([
      ['A', 16],
      ['LOAD', 16],
      ['JUMP', 32],
      ['B', 16],
      ['C', 1],
    ]),
  )
})

it('refuses to count a kernel whose loops are nested otherwise', () => {
  const kernel = kernelOf('row:', 'LOAD', 'JUMP row')

  expect(() => countRuns(kernel, { rounds: 22, rows: [2, 16] })).toThrow('2 loops over rows expected, 1 found')
})

it.each([
  [
    '        /*2900*/                   LDG.E.NA.LTC128B.128.CONSTANT R16, desc[UR6][R16.64] ;',
    'LDG.E.NA.LTC128B.128.CONSTANT',
    null,
  ],
  ['        /*8c40*/              @!P3 BRA `(.L_x_3) ;', 'BRA', '.L_x_3'],
  ['        /*1610*/                   BSSY B0, `(.L_x_1) ;', 'BSSY', null],
])("reads NVIDIA's %s", (line, op, target) => {
  expect(sassLine(line)).toEqual([{ op, target, label: null }])
})

it.each([
  ['\tv_mul_u32_u24_e32 v35, 0x193, v36', 'v_mul_u32_u24', null],
  ['\ts_cbranch_scc1 .LBB1_8', 's_cbranch_scc1', '.LBB1_8'],
])("reads AMD's %s", (line, op, target) => {
  expect(gcnLine(line)).toEqual([{ op, target, label: null }])
})

it('reads labels of both, and nothing from other lines', () => {
  expect(sassLine('.L_x_3:')).toEqual([{ op: '', target: null, label: '.L_x_3' }])
  expect(gcnLine('.LBB1_8:                 ; Depth=2')).toEqual([{ op: '', target: null, label: '.LBB1_8' }])
  expect(sassLine('\t.section\t.text')).toEqual([])
  expect(gcnLine('\t.p2align\t8')).toEqual([])
})

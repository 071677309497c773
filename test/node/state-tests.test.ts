// The public state tests through the full path of a block: decoded, sender recovered, executed, root and logs compared.
// `npm run test:deep` and `npm run conformance` run all of them; LONG_STATE_TESTS=1 also those that take minutes.
import { expect, it } from 'vitest'
import { openEngine } from '../../src/node/execution/wasm/wasm-engine'
import { byDepth } from '../depth'
import { engineNamed } from './engines'
import { readStateTests, runStateTest, STATE_TEST_PARAMS, type StateTest } from './state-cases'

/** Minutes of computing (millions of powers and products, 2^32 rounds of BLAKE2): too long for each test run. */
const LONG = [
  'VMTests/vmPerformance/loopExp.json',
  'VMTests/vmPerformance/loopMul.json',
  'stTimeConsuming/CALLBlake2f_MaxRounds.json',
]
const CASES = 13_625
/**
 * A second and more for one or two cases, each of them thousands of calls of one kind: two thirds of the time of all
 * the others.
 */
const DEEP =
  /Call50000|Return50000|Call1MB1024Calldepth|LoopCallsThenRevert|ContractCreationSpam|QuadraticComplexitySolidity|Create2Recursive/
/** Hundreds of cases that differ in a number: `npm test` runs every eighth. */
const SAMPLED = /sstore_combinations|Blake2f|precompsEIP2929|stMemoryTest\/buffer|idPrecomps|modexp/
const EACH = 8
/**
 * A test's timeout ends what hangs. All cases are two minutes of computing, and half an hour on a busy machine: none
 * contains more than these.
 */
const MAX_CASES_A_TEST = 400

const withLong = process.env.LONG_STATE_TESTS === '1'
const all = readStateTests()
const tests = all.filter(({ file }) => !LONG.includes(file))
const usual = tests
  .filter(({ file }) => !DEEP.test(file))
  .map((test) => (SAMPLED.test(test.file) ? sampleOf(test) : test))
const long = all.filter(({ file }) => LONG.includes(file))
const engine = engineNamed('both')(STATE_TEST_PARAMS)
/** As the program opens it: what takes minutes in TypeScript runs in the module only. */
const programEngine = () => openEngine(STATE_TEST_PARAMS, import.meta.dirname)

function sampleOf(test: StateTest): StateTest {
  return { ...test, post: test.post.filter((_case, index) => index % EACH === 0) }
}

interface Batch {
  readonly folder: string
  readonly batch: readonly StateTest[]
  readonly cases: number
}

/** In order, each from one folder. */
function batchesOf(ordered: readonly StateTest[]): readonly Batch[] {
  const batches: { readonly folder: string; readonly batch: StateTest[]; cases: number }[] = []
  for (const test of ordered) {
    const folder = test.file.split('/')[0] ?? ''
    const last = batches.at(-1)
    const fits = last?.folder === folder && last.cases + test.post.length <= MAX_CASES_A_TEST
    if (last === undefined || !fits) batches.push({ folder, batch: [test], cases: test.post.length })
    else {
      last.batch.push(test)
      last.cases += test.post.length
    }
  }
  return batches
}

it.for(batchesOf(byDepth(usual, tests)))(
  '$folder gives the expected roots and logs, and the same bytes in both engines',
  async ({ batch, cases }, { task }) => {
    const faults: string[] = []
    for (const test of batch) faults.push(...(await runStateTest(test, engine)))
    task.meta.cases = cases

    expect(faults).toEqual([])
  },
)

it.skipIf(!withLong).for(long)(
  '$file gives the expected roots and logs (with LONG_STATE_TESTS=1)',
  async (test, { task }) => {
    task.meta.cases = test.post.length

    expect(await runStateTest(test, programEngine())).toEqual([])
  },
)

it('cover all cases', ({ task }) => {
  task.meta.cases = 0
  if (!withLong) task.meta.leftOut = LONG.map((file) => `${file}: takes minutes`)
  expect(long.map(({ file }) => file).sort()).toEqual([...LONG].sort())
  expect(tests.reduce((sum, { post }) => sum + post.length, 0)).toBe(CASES)
})

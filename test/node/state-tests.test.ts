// The public state tests through the path of a block: decoded, sender recovered, executed, root and logs compared.
import { expect, it } from 'vitest'
import { engineNamed } from './engines'
import { readStateTests, runStateTest, STATE_TEST_PARAMS } from './state-cases'

/** Minutes of computing (millions of powers and products, 2^32 rounds of BLAKE2): for a bench, not for each run of the tests. */
const LONG = [
  'VMTests/vmPerformance/loopExp.json',
  'VMTests/vmPerformance/loopMul.json',
  'stTimeConsuming/CALLBlake2f_MaxRounds.json',
]

it('give the roots and logs that are written with them in both engines, and the same bytes', {
  timeout: 1_800_000,
}, async () => {
  const engine = engineNamed('both')(STATE_TEST_PARAMS)
  const faults: string[] = []
  let cases = 0
  for (const test of readStateTests()) {
    if (LONG.includes(test.file)) continue
    faults.push(...(await runStateTest(test, engine)))
    cases += test.post.length
  }

  expect(faults).toEqual([])
  expect(cases).toBe(13_625)
})

// The order of test files: the longest start first, so that no worker is left with one of them when the others are
// done. Without times of an earlier run, as in a fresh clone, these are known to be the longest.
import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONGEST = [
  'test/signer/signer-cases.test.ts',
  'test/cli/blocks.test.ts',
  'test/cli/calls.test.ts',
  'test/host/backend.test.ts',
  'e2e/walk.test.ts',
  'e2e/states.test.ts',
  'e2e/electron-states.test.ts',
  'test/node/query-peer.test.ts',
  'test/node/state-tests.test.ts',
  'test/cli/run.test.ts',
  'test/node/p2p-snap.test.ts',
  'test/signer/faults/faults.test.ts',
  'test/node/p2p-hostile-sync.test.ts',
  'test/node/p2p-reference.test.ts',
  'test/miner/pool-detection.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const at = LONGEST.indexOf(relative(project.config.root, moduleId).split(sep).join('/'))
      return at < 0 ? LONGEST.length : at
    }
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => rank(a) - rank(b))
  }
}

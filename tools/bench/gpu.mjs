// The GPUs of this computer: kernels, dataset, hashes per second and watts. native/test/gpu_bench.cpp does the
// measuring.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT, ToolError } from '../lib/project.mjs'
import { buildProgram } from '../test-native.mjs'

/** @returns {boolean} false when a device failed or found what is not so; without a GPU there is nothing that can fail */
export function benchGpu({ seconds, log }) {
  log('building native/build/test/gpu_bench')
  const built = buildProgram('gpu_bench', null)
  if (built.error !== null) throw new ToolError(built.error)
  const { status } = spawnSync(built.path, [join(ROOT, 'resources'), String(seconds)], { stdio: 'inherit' })
  return status === 0
}

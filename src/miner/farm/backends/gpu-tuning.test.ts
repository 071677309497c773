import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { KeptJson } from '../../../files/json-file'
import { GpuTuningFile, tuningSchema } from './gpu-tuning'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headframe-gpu-tuning-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const path = (): string => join(folder, 'tuning.json')
const kept = () => new KeptJson(path(), tuningSchema, { log: silentLogger })

it('finds in the next run what this one stored', async () => {
  const first = new GpuTuningFile(kept(), silentLogger)
  await Promise.all([
    first.keep('a', { groupSize: 64, variant: 1 }),
    first.keep('b', { groupSize: 128, variant: 0, batchMs: 6 }),
  ])

  const next = new GpuTuningFile(kept(), silentLogger)

  expect(await next.find('a')).toEqual({ groupSize: 64, variant: 1 })
  expect(await next.find('b')).toEqual({ groupSize: 128, variant: 0, batchMs: 6 })
  expect(await next.find('c')).toBeNull()
})

it.each([
  '{',
  '[]',
  'null',
  '{"a": 1}',
  '{"a": {"groupSize": 64, "variant": 0, "batchMs": 5000}}',
  '{"a": {"groupSize": 63, "variant": 0}}',
  '{"a": {"groupSize": 64}}',
])('treats a file with %s as empty', async (text) => {
  await writeFile(path(), text)
  const tuning = new GpuTuningFile(kept(), silentLogger)
  expect(await tuning.find('a')).toBeNull()
})

it('skips what is no shape, and keeps the rest', async () => {
  await writeFile(path(), '{"a": 1, "b": {"groupSize": 64, "variant": 0}}')
  expect(await new GpuTuningFile(kept(), silentLogger).find('b')).toEqual({ groupSize: 64, variant: 0 })
})

it('continues if nothing can be stored', async () => {
  const stuck = { load: async () => null, save: () => Promise.reject(new Error('disk is full')) }
  const tuning = new GpuTuningFile(stuck, silentLogger)

  await tuning.keep('a', { groupSize: 64, variant: 1 })

  expect(await tuning.find('a')).toEqual({ groupSize: 64, variant: 1 })
})

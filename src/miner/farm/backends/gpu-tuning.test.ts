import { expect, it } from 'vitest'
import { silentLogger } from '../../../base/logger'
import type { HistoryStore } from '../../stats/history-file'
import { GpuTuningFile } from './gpu-tuning'

class FakeFile implements HistoryStore {
  constructor(public bytes: Uint8Array | null = null) {}
  async load(): Promise<Uint8Array | null> {
    return this.bytes
  }
  async save(bytes: Uint8Array): Promise<void> {
    this.bytes = bytes
  }
}

const fileOf = (text: string): FakeFile => new FakeFile(new TextEncoder().encode(text))

it('finds in the next run what this one stored', async () => {
  const file = new FakeFile()
  const first = new GpuTuningFile(file, silentLogger)
  await Promise.all([
    first.keep('a', { groupSize: 64, variant: 1 }),
    first.keep('b', { groupSize: 128, variant: 0, batchMs: 6 }),
  ])

  const next = new GpuTuningFile(file, silentLogger)

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
  expect(await new GpuTuningFile(fileOf(text), silentLogger).find('a')).toBeNull()
})

it('continues if nothing can be stored', async () => {
  const file = new FakeFile()
  file.save = () => Promise.reject(new Error('disk is full'))
  const tuning = new GpuTuningFile(file, silentLogger)

  await tuning.keep('a', { groupSize: 64, variant: 1 })

  expect(await tuning.find('a')).toEqual({ groupSize: 64, variant: 1 })
})

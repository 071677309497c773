import { expect, it } from 'vitest'
import { measureHashing } from './hash-figures'
import type { Engine } from './trades-of-call'

it('has no figure for rows when none was done', async () => {
  const engine = {
    params: { datasetBytesInit: 2 ** 30 },
    prepareEpoch: async () => undefined,
    hashLight: async () => undefined,
    buildDataset: async () => ({ release: () => undefined }),
  } as unknown as Engine

  const figures = await measureHashing(engine, { whole: false, threads: 1, signal: new AbortController().signal })

  expect(figures).toMatchObject({ datasetItemMicros: null, whole: null })
})

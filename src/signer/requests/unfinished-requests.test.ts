import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { requestsLeftOpen } from './unfinished-requests'

let folder = ''
let file = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unfinished-requests-'))
  file = join(folder, 'audit.log')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const request = (id: string, data = '') => JSON.stringify({ type: 'request', id, kind: 'signData', data })
const result = (id: string) => JSON.stringify({ type: 'result', id, kind: 'signData', state: 'rejected' })
const put = (lines: readonly string[]) => writeFile(file, lines.map((line) => `${line}\n`).join(''))

it('finds the requests without an end', async () => {
  await put([request('a'), request('b'), result('a'), '{"type":"start"}', 'torn {"type":"request"', request('c')])

  expect(await requestsLeftOpen(file)).toEqual([
    { id: 'b', kind: 'signData' },
    { id: 'c', kind: 'signData' },
  ])
})

it('finds the oldest of as many large requests as can be open at once', async () => {
  const large = '\u20ac'.repeat(4 * 1024 * 1024) // three bytes each
  await put(Array.from({ length: 12 }, (_, index) => request(`r${index}`, large)))

  expect((await requestsLeftOpen(file)).map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, i) => `r${i}`))
})

it('finds nothing in an empty log', async () => {
  await put([])

  expect(await requestsLeftOpen(file)).toEqual([])
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger, type LogRecord } from '../../base/logger'
import { readNodeLists } from './node-db'

const enode = (digit: string): string => `enode://${digit.repeat(128)}@10.0.0.${digit}:32110`

let folder = ''
let said: LogRecord[] = []
const log = createLogger('test', {
  minLevel: 'warn',
  now: () => 0,
  sink: { write: (record) => void said.push(record) },
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'node-lists-'))
  said = []
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the lists of nodes in the data directory', () => {
  it('are empty without files, and nothing is logged about it', async () => {
    expect(await readNodeLists(folder, log)).toEqual({ fixed: [], trusted: [], anchors: [] })
    expect(said).toEqual([])
  })

  it('are read as prlx writes them', async () => {
    await writeFile(join(folder, 'static-nodes.json'), JSON.stringify([enode('1'), enode('2')]))
    await writeFile(join(folder, 'trusted-nodes.json'), JSON.stringify([enode('3')]))

    const { fixed, trusted } = await readNodeLists(folder, log)

    expect(fixed.map(({ host }) => host)).toEqual(['10.0.0.1', '10.0.0.2'])
    expect(trusted.map(({ host }) => host)).toEqual(['10.0.0.3'])
  })

  it('lose only unreadable entries, and the log names them', async () => {
    await writeFile(join(folder, 'static-nodes.json'), JSON.stringify([enode('1'), 'enode://nobody', 7]))
    await writeFile(join(folder, 'trusted-nodes.json'), '{"not": "a list"}')

    const { fixed, trusted } = await readNodeLists(folder, log)

    expect([fixed.length, trusted.length]).toEqual([1, 0])
    expect(said.map(({ fields }) => fields.url ?? fields.file)).toEqual([
      'enode://nobody',
      '7',
      join(folder, 'trusted-nodes.json'),
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { FakeClock } from '../base/testing/fake-clock'
import { Progress } from './progress'

function made(kind: 'line' | 'json' | 'terminal') {
  const clock = new FakeClock()
  const lines: string[] = []
  const drawn: string[] = []
  const terminal = kind === 'terminal' ? { columns: () => 100, write: (text: string) => void drawn.push(text) } : null
  const line = (text: string): void => void lines.push(text)
  const progress = new Progress({ name: 'import', json: kind === 'json', terminal, line, clock })
  /** One second later: block `block`, which is also the percent. */
  const step = (block: number): void => {
    clock.advance(1_000)
    progress.update({ fraction: block / 100, block, blocks: block, gas: BigInt(block) * 2_000_000n })
  }
  return { progress, step, lines, drawn }
}

describe('the progress of a long command', () => {
  it('is a line every five seconds without a terminal', () => {
    const { step, lines } = made('line')
    for (let block = 1; block <= 11; block++) step(block)

    expect(lines).toEqual([
      'import: 5%, block 5, 1 blocks/s, 2.0 Mgas/s, ETA 1 min 35 s',
      'import: 10%, block 10, 1 blocks/s, 2.0 Mgas/s, ETA 1 min 30 s',
    ])
  })

  it('is one object per line with --log.json', () => {
    const { step, lines } = made('json')
    for (let block = 1; block <= 5; block++) step(block)

    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        level: 'info',
        module: 'cli',
        message: 'import continues',
        fields: { block: 5, percent: 5, blocksPerSecond: 1, megagasPerSecond: 2, secondsLeft: 95 },
      },
    ])
  })

  it('is a bar that overwrites itself on a terminal, and ends with a line break', () => {
    const { progress, step, drawn, lines } = made('terminal')
    step(50)
    progress.end()

    expect(drawn[0]).toMatch(/^\rimport \[#{12}-{12}\] 50% {2}block 50 {2}50 blocks\/s {2}100\.0 Mgas\/s {2}ETA 1 s *$/)
    expect(drawn[0]).toHaveLength(100)
    expect(drawn[1]).toBe('\n')
    expect(lines).toEqual([])
  })

  it('reports the speed of the last half minute', () => {
    const { step, lines } = made('line')
    // Known blocks first, a thousand a second; then one a second.
    for (let block = 1; block <= 5; block++) step(block * 1_000)
    for (let block = 1; block <= 60; block++) step(5_000 + block)

    expect(lines.at(-1)).toContain(' 1 blocks/s')
  })
})

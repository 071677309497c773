import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { HIDDEN_PERIOD_MS } from '../../contract/app'
import type { UiTopic } from './ui-handlers'
import { Sight } from './ui-server'

const aTopic = (name: string): UiTopic => ({
  name,
  maxRate: 2,
  watch: () => ({ dispose: () => undefined }),
  send: async () => undefined,
})
const DEVICES = aTopic('miner.devices')
const REQUESTS = aTopic('signer.requests')

function scene() {
  const clock = new FakeClock()
  const sent: string[] = []
  return { clock, sent, sight: new Sight(clock, ({ name }) => void sent.push(name)) }
}

describe('an unwatched connection', () => {
  it('gets readings every few seconds, and anything else at once', () => {
    const { clock, sent, sight } = scene()
    sight.offer(DEVICES)
    sight.set(false)

    for (let second = 0; second < 12; second++) {
      sight.offer(DEVICES)
      clock.advance(1000)
    }
    sight.offer(REQUESTS)

    expect(sent).toEqual(['miner.devices', 'miner.devices', 'miner.devices', 'signer.requests'])
  })

  it('gets what was held back as soon as someone looks', () => {
    const { sent, sight } = scene()
    sight.set(false)
    sight.offer(DEVICES)
    expect(sent).toEqual([])

    sight.set(true)
    sight.offer(DEVICES)

    expect(sent).toEqual(['miner.devices', 'miner.devices'])
  })

  it('leaves no timer behind when it closes', () => {
    const { clock, sent, sight } = scene()
    sight.set(false)
    sight.offer(DEVICES)

    sight.dispose()
    clock.advance(2 * HIDDEN_PERIOD_MS)

    expect(sent).toEqual([])
  })
})

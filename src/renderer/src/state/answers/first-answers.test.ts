// When the page is drawn: in one piece once the program answered, earlier only where waiting brings nothing.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../../base/testing/fake-clock'
import { ScriptedBackend } from '../../testing/scripted'
import { aDevice, aHead, anInfo, aStatus } from '../../testing/scripted-values'
import { connectStores, createStores } from '../stores/stores'
import { FIRST_ANSWER_MS, FIRST_VALUES_MS, firstAnswers } from './first-answers'

/** A page whose program hasn't sent anything. */
function begin() {
  const backend = new ScriptedBackend()
  const clock = new FakeClock()
  const storage = { getItem: () => null, setItem: () => undefined }
  const stores = createStores({ backend, clock, storage })
  backend.setConnection({ kind: 'connecting' })
  const wired = connectStores(stores, backend)
  const timersBefore = clock.pending
  const drawn = { is: false }
  const waiting = firstAnswers(stores, clock).then(() => {
    drawn.is = true
  })
  const isDrawn = async (): Promise<boolean> => {
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
    return drawn.is
  }
  const describes = (): void => {
    backend.answer('app.info', () => anInfo())
    backend.setConnection({ kind: 'open' })
  }
  /** @param events how many of the first values arrive */
  const sends = (events = 4): void => {
    const all = [
      () => backend.emit('app.status', { services: [], takenAt: 0 }),
      () => backend.emit('miner.status', aStatus()),
      () => backend.emit('miner.devices', { devices: [aDevice()], takenAt: 0 }),
      () => backend.emit('node.head', aHead()),
    ]
    for (const send of all.slice(0, events)) send()
  }
  return { backend, clock, wired, waiting, isDrawn, describes, sends, left: () => clock.pending - timersBefore }
}

describe('the first drawing of the page', () => {
  it('waits for the description of the program and its first values, in any order, and leaves no timer', async () => {
    const first = begin()
    first.sends()
    expect(await first.isDrawn()).toBe(false)
    first.describes()
    expect(await first.isDrawn()).toBe(true)
    expect(first.left()).toBe(0)

    const second = begin()
    second.describes()
    second.sends(3)
    expect(await second.isDrawn()).toBe(false)
    second.sends()
    expect(await second.isDrawn()).toBe(true)
    expect(second.left()).toBe(0)
  })

  it('does not wait for values that a program without miner or node never sends', async () => {
    const { clock, describes, isDrawn, left } = begin()
    describes()
    await isDrawn()

    clock.advance(FIRST_VALUES_MS - 1)
    expect(await isDrawn()).toBe(false)
    clock.advance(1)

    expect(await isDrawn()).toBe(true)
    expect(left()).toBe(0)
  })

  it.each([
    ['contact is lost', { kind: 'lost', since: 0, retryAt: 1, reason: 'refused' }],
    ['a token is needed', { kind: 'signedOut', refused: false }],
  ] as const)('comes at once when %s', async (_name, connection) => {
    const { backend, isDrawn, left } = begin()

    backend.setConnection(connection)

    expect(await isDrawn()).toBe(true)
    expect(left()).toBe(0)
  })

  it('comes with placeholders when nothing answers', async () => {
    const { clock, isDrawn } = begin()

    clock.advance(FIRST_ANSWER_MS - 1)
    expect(await isDrawn()).toBe(false)
    clock.advance(1)

    expect(await isDrawn()).toBe(true)
  })
})

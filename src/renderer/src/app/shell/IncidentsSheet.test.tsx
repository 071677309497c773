// What the sheet of incidents says when the program hasn't said anything about them, or can't.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { anIncident } from '../../testing/scripted-money'
import './IncidentsSheet'

afterEach(cleanup)

const sheet = async (prepare: (backend: ScriptedBackend) => void) => {
  const stage = await open('/', (backend) => {
    fill(backend)
    prepare(backend)
  })
  await act(async () => void fireEvent.keyDown(document.body, { key: 'i' }))
  await screen.findByTestId('incidents')
  return stage
}
const read = (tab: 'now' | 'night' | 'earlier'): string => {
  act(() => void fireEvent.click(screen.getByTestId(`incidents-tab-${tab}`)))
  return screen.getByRole('tabpanel').textContent ?? ''
}

describe('nothing is called quiet', () => {
  it('before the past was read', async () => {
    await sheet((backend) => backend.answer('miner.incidentHistory', () => new Promise(() => undefined)))

    expect(read('night')).not.toContain('quiet')
    expect(read('earlier')).not.toContain('Nothing in the last 7 days')
  })

  it('if the past can’t be read, and why is said until it can', async () => {
    const { pass } = await sheet((backend) => {
      let asked = 0
      backend.answer('miner.incidentHistory', () => {
        asked += 1
        if (asked < 2) throw new Error('the book is broken')
        return { incidents: [], total: 0 }
      })
    })

    expect(read('night')).not.toContain('quiet')
    expect(read('earlier')).toContain('the book is broken')
    await pass(61_000)
    expect(read('earlier')).toContain('Nothing in the last 7 days.')
  })

  it('while the program hasn’t told of the present', async () => {
    const { backend } = await sheet((scripted) => scripted.forget('miner.incidents'))

    expect(read('now')).not.toContain('Nothing is wrong')
    act(() => void backend.emit('miner.incidents', { open: [], recent: [], takenAt: NOW }))
    expect(read('now')).toContain('Nothing is wrong')
  })
})

it('keeps what it read before an answer failed', async () => {
  const ended = anIncident({ since: NOW - 5 * 86_400_000, until: NOW - 5 * 86_400_000 + 60_000 })
  let asked = 0
  const { pass } = await sheet((backend) =>
    backend.answer('miner.incidentHistory', () => {
      asked += 1
      if (asked > 1) throw new Error('the book is broken')
      return { incidents: [ended], total: 1 }
    }),
  )
  await pass(61_000)

  expect(read('earlier')).toContain('the book is broken')
  expect(screen.getByTestId(`incident-${ended.cause}`)).toBeTruthy()
})

it('says how many it doesn’t list, and no sum without them', async () => {
  const ended = anIncident({ since: NOW - 5 * 86_400_000, until: NOW - 5 * 86_400_000 + 60_000 })
  let total = 4_000
  const { pass } = await sheet((backend) =>
    backend.answer('miner.incidentHistory', () => ({ incidents: [ended], total })),
  )

  expect(read('earlier')).toContain('3,999 more')
  expect(screen.queryByTestId('incidents-sum')).toBeNull()
  total = 1
  await pass(61_000)
  expect(read('earlier')).not.toContain('more')
  expect(screen.queryByTestId('incidents-sum')).not.toBeNull()
})

// Answers that arrive after something newer is known: none of them is shown.
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { AddressHistoryView } from '../../../../contract/explorer'
import type { PolicyView } from '../../../../contract/signer-tools'
import { callsOf, open, prepared, press } from '../../testing/open-accounts'
import { NOW } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { OWN_ADDRESS } from '../../testing/scripted-values'
import { EMPTY_DRAFT, policyOf } from './Rules'

afterEach(cleanup)

/** Answers that the test gives one by one, in the order of the requests. */
class Held<T> {
  readonly #open: ((value: T) => void)[] = []

  wait(): Promise<T> {
    return new Promise((resolve) => this.#open.push(resolve))
  }

  async give(index: number, value: T): Promise<void> {
    await act(async () => this.#open[index]?.(value))
  }
}

const policy = (id: string, enabled = true): PolicyView => {
  const made = policyOf({ ...EMPTY_DRAFT, name: id, account: OWN_ADDRESS, most: '1', perPeriod: '5' }, { id, now: NOW })
  if (typeof made === 'string') throw new Error(made)
  return { ...made, enabled }
}
const listOf = (...policies: readonly PolicyView[]) => ({
  policies: policies.map((each) => ({ policy: each, version: `${each.id}-${each.enabled}` })),
})
const stateOf = (id: string) => screen.getByTestId(`policy-toggle-${id}`).closest('li')?.dataset.state

async function breakContact(backend: ScriptedBackend): Promise<void> {
  await act(async () => backend.setConnection({ kind: 'connecting' }))
  await act(async () => backend.setConnection({ kind: 'open' }))
}

describe('the list of policies', () => {
  it('keeps a change if a list that was requested before it arrives late', async () => {
    const lists = new Held<ReturnType<typeof listOf>>()
    let asked = 0
    const { backend } = await open(
      '/accounts/rules',
      prepared('open', (it) =>
        it
          .answer('signer.policies', () => (asked++ === 0 ? listOf(policy('a')) : lists.wait()))
          .answer('signer.putPolicy', () => listOf(policy('a', false))),
      ),
    )
    await breakContact(backend)
    await press('policy-toggle-a')
    const changed = stateOf('a')
    await lists.give(0, listOf(policy('a')))

    expect(changed).toBe('off')
    expect(callsOf(backend, 'signer.policies')).toHaveLength(2)
    expect(stateOf('a')).toBe('off')
  })

  it('is read again when the next change overtakes an answer', async () => {
    const changes = new Held<ReturnType<typeof listOf>>()
    let kept = listOf(policy('a'), policy('b'))
    await open(
      '/accounts/rules',
      prepared('open', (it) =>
        it.answer('signer.policies', () => kept).answer('signer.putPolicy', () => changes.wait()),
      ),
    )
    await press('policy-toggle-a')
    await press('policy-toggle-b')
    kept = listOf(policy('a', false), policy('b', false))
    await changes.give(1, kept)
    await changes.give(0, listOf(policy('a', false), policy('b')))

    expect([stateOf('a'), stateOf('b')]).toEqual(['off', 'off'])
  })
})

describe("an account's history", () => {
  it('drops an older page if the latest one was requested again', async () => {
    const pages = new Held<AddressHistoryView>()
    const { backend } = await open(
      `/accounts/${OWN_ADDRESS}`,
      prepared('open', (it) => it.answer('node.addressHistory', () => pages.wait())),
    )
    await pages.give(0, { transactions: [], newest: 42, oldest: 30 })
    await press('history-more')
    await breakContact(backend)
    await pages.give(2, { transactions: [], newest: 50, oldest: 38 })
    await pages.give(1, { transactions: [], newest: 29, oldest: 20 })

    expect(screen.getByTestId('history-range').textContent).toContain('38')
    expect(screen.getByTestId('history-range').textContent).not.toContain('20')
  })
})

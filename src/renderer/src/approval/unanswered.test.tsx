// Actions whose request fails or is never answered: each says so where it was pressed.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { SwitchesView } from '../../../contract/signer'
import { UNANSWERED_MS } from '../state/answers/use-answer'
import { aRequest, aTransaction } from '../testing/scripted-values'
import { queue, show, state } from '../testing/show-approval'

afterEach(cleanup)

const OTHER = { ...aRequest().caller, remote: '127.0.0.1:9', userAgent: 'other', process: null }
const open = { address: `0x${'11'.repeat(20)}`, until: 1_700_000_600_000 }
const switches: SwitchesView = {
  remote: { mode: 'off', expiresAt: null, hasToken: true },
  keepUnlocked: true,
  maySet: true,
  unlocked: [open],
  takenAt: 0,
}

type Backend = Awaited<ReturnType<typeof show>>['backend']

const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)))
const twice = async (testId: string) => {
  await press(testId)
  await press(testId)
}
const alerts = (): string =>
  screen
    .queryAllByRole('alert')
    .map(({ textContent }) => textContent)
    .join(' ')

const single = [aRequest()]
const several = [aRequest(), aRequest({ id: 'request-2', caller: OTHER })]
const ofOneCaller = [aRequest(), aRequest({ id: 'request-2' })]
const alike = ['3', '4', '5'].map((nonce) => aRequest({ id: `request-${nonce}`, transaction: aTransaction({ nonce }) }))

/** What waits, the call, and the presses that send it. */
const actions = {
  'rejecting one': [single, 'signer.decide', () => press('approval-reject')],
  'rejecting all': [several, 'signer.rejectAll', () => twice('approval-reject-all')],
  'rejecting all of a caller': [single, 'signer.rejectFrom', () => press('approval-reject-caller')],
  'rejecting all of a caller in the list': [
    [...ofOneCaller, aRequest({ id: 'request-3', caller: OTHER })],
    'signer.rejectFrom',
    () => twice('approval-reject-caller'),
  ],
  'rejecting a table': [
    alike,
    'signer.decideMany',
    async () => {
      await press('approval-together')
      await twice('together-reject')
    },
  ],
  'hearing a caller again': [single, 'signer.hearAll', () => press('hear-all')],
  'locking accounts': [single, 'signer.lockKept', () => press('lock-now')],
} as const

async function scene(waiting: readonly ReturnType<typeof aRequest>[]) {
  const shown = await show([])
  await act(async () => {
    shown.backend.emit('signer.switches', switches)
    queue(shown.backend, ...waiting)
    shown.backend.emit('signer.requests', {
      waiting: [...waiting],
      waitingCount: waiting.length,
      quietUntil: 1_700_000_600_000,
      takenAt: 0,
    })
  })
  await shown.pass(0)
  return shown
}

const never = (): Promise<never> => new Promise(() => undefined)
const fails = (): never => {
  throw new Error('no such luck')
}
const answerWith = (backend: Backend, call: string, answer: () => never | Promise<never>): void =>
  void backend.answer(call as 'signer.rejectAll', answer)

describe.each(Object.entries(actions))('%s', (_name, [waiting, call, act]) => {
  it('says why its request failed', async () => {
    const { backend } = await scene(waiting)
    answerWith(backend, call, fails)

    await act()

    expect(backend.calls.filter(({ name }) => name === call)).toHaveLength(1)
    expect(alerts()).toContain('no such luck')
    expect(screen.queryByTestId('approval-result')).toBeNull()
  })

  it('says that no answer came', async () => {
    const { backend, pass } = await scene(waiting)
    answerWith(backend, call, never)
    await act()
    expect(alerts()).not.toContain('No answer')

    await pass(UNANSWERED_MS)

    expect(alerts()).toContain('No answer')
    expect(screen.queryByTestId('approval-result')).toBeNull()
  })
})

describe('a rejection', () => {
  it('that comes too late shows what happened instead', async () => {
    const { backend } = await scene(single)
    backend.answer('signer.decide', () => ({ state: 'signed', error: '' }))

    await press('approval-reject')

    expect(state()).toBe('done')
  })

  it('that was answered late is one after all', async () => {
    const { backend, pass } = await scene(single)
    const asked: { give: (() => void) | null } = { give: null }
    const answer = new Promise<{ state: 'rejected'; error: string }>((done) => {
      asked.give = () => done({ state: 'rejected', error: '' })
    })
    backend.answer('signer.decide', () => answer)
    await press('approval-reject')
    await pass(UNANSWERED_MS)
    expect(state()).not.toBe('refused')

    await act(async () => asked.give?.())

    expect(state()).toBe('refused')
  })
})

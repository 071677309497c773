import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { SwitchesView } from '../../../../../contract/signer'
import { UNANSWERED_MS } from '../../../state/answers/use-answer'
import { stage } from '../../../testing/render-app'
import { RemoteApprovals } from '../Settings'

afterEach(cleanup)

const view = (change: Partial<SwitchesView> = {}): SwitchesView => ({
  remote: { mode: 'off', expiresAt: null, hasToken: true },
  keepUnlocked: false,
  maySet: true,
  unlocked: [],
  takenAt: 0,
  ...change,
})

async function show(switches: SwitchesView) {
  const scene = await stage(<RemoteApprovals />, (backend) => {
    backend.emit('signer.switches', switches)
    backend.answer('signer.setRemote', () => ({}))
    backend.answer('signer.setKeepUnlocked', () => ({}))
  })
  const asked = () => scene.backend.calls.filter(({ name }) => name === 'signer.setRemote').map(({ params }) => params)
  return { ...scene, asked }
}
const push = (testId: string): Promise<void> => act(async () => void fireEvent.click(screen.getByTestId(testId)))

describe('approvals from other machines', () => {
  it('are off, say what they would allow, and are switched on for encrypted connections', async () => {
    const { asked } = await show(view())
    const card = screen.getByTestId('remote-approvals')
    expect(screen.getByTestId('remote-state').dataset.state).toBe('off')
    expect(card.textContent).toContain('See all request details')
    expect(card.querySelectorAll('li')).toHaveLength(3)

    await push('remote-on')

    expect(asked()).toEqual([{ mode: 'encrypted', consent: '' }])
  })

  it('work without encryption only after a typed word', async () => {
    const { asked } = await show(view())
    fireEvent.click(screen.getByTestId('remote-plain'))
    fireEvent.change(screen.getByTestId('remote-consent'), { target: { value: 'unencrypted' } })
    await push('remote-on')
    expect(asked()).toEqual([])

    fireEvent.change(screen.getByTestId('remote-consent'), { target: { value: 'UNENCRYPTED' } })
    await push('remote-on')

    expect(asked()).toEqual([{ mode: 'plain', consent: 'UNENCRYPTED' }])
  })

  it('need a token', async () => {
    await show(view({ remote: { mode: 'off', expiresAt: null, hasToken: false } }))

    expect(screen.queryByTestId('remote-on')).toBeNull()
    expect(screen.getByTestId('remote-approvals').textContent).toContain('--api-token')
  })

  it('show how long they last, and are switched off', async () => {
    const { asked } = await show(
      view({ remote: { mode: 'encrypted', expiresAt: Date.UTC(2026, 11, 20, 12), hasToken: true } }),
    )
    expect(screen.getByTestId('remote-state').textContent).toContain('Dec 20, 2026')

    await push('remote-off')

    expect(asked()).toEqual([{ mode: 'off', consent: '' }])
  })

  it("can't be changed away from the machine", async () => {
    await show(view({ maySet: false, remote: { mode: 'plain', expiresAt: 1_800_000_000_000, hasToken: true } }))

    expect(screen.queryByTestId('remote-off')).toBeNull()
    expect(screen.getByTestId('remote-approvals').textContent).toContain('only on this computer')
    expect(screen.getByTestId('keep-unlocked').querySelector('input')).toBeNull()
  })

  it('say why a change was refused', async () => {
    const { backend } = await show(view())
    backend.answer('signer.setRemote', () => Promise.reject(new Error('disk full')))

    await push('remote-on')

    expect(screen.getByRole('alert').textContent).toContain('disk full')
  })
})

it('waits for who is asked in a dialog of the system: no answer is said to be missing', async () => {
  const { backend, pass } = await show(view())
  backend.answer('signer.setRemote', () => new Promise(() => undefined))
  backend.answer('signer.setKeepUnlocked', () => new Promise(() => undefined))

  await push('remote-on')
  await act(
    async () => void fireEvent.click(screen.getByTestId('keep-unlocked').querySelector('input') ?? document.body),
  )
  await pass(UNANSWERED_MS)

  expect(document.body.textContent).not.toContain('No answer')
})

it('lets an account be kept unlocked if that is switched on', async () => {
  const { backend } = await show(view())

  await act(
    async () => void fireEvent.click(screen.getByTestId('keep-unlocked').querySelector('input') ?? document.body),
  )

  expect(backend.calls).toContainEqual({ name: 'signer.setKeepUnlocked', params: { isOn: true } })
})

// Rewinding the chain: by block number, confirmed, and only at the computer itself.
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
// Preloaded; the application loads it on its first visit.
import './Node'

afterEach(cleanup)

const atTheComputer =
  (canNameFiles: boolean) =>
  (backend: ScriptedBackend): void => {
    fill(backend)
    backend.emit('node.control', { canNameFiles, isSwitchedOff: false, job: null, takenAt: NOW })
  }
const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)))
const write = (testId: string, value: string) => fireEvent.change(screen.getByTestId(testId), { target: { value } })

describe('going back to a block', () => {
  it('asks first, and says what is lost', async () => {
    const { backend } = await open('/node/blocks', (backend) => {
      atTheComputer(true)(backend)
      backend.answer('node.goBack', () => {
        throw new WireError('CONTRACT_INVALID', { name: 'node.goBack', reason: 'no such block' })
      })
    })
    await screen.findByTestId('go-back')
    for (const bad of ['', 'x', '42', '4200']) {
      write('go-back-number', bad)
      await press('go-back-ask')
      expect(screen.getByRole('alert').textContent, bad).toContain('below the newest one')
    }
    write('go-back-number', '40')
    await press('go-back-ask')
    const question = screen.getByTestId('go-back-dialog').textContent
    expect(question).toContain('Go back to block 40?')
    expect(question).toContain('forgets 2 blocks, up to block 42')
    expect(backend.calls.some(({ name }) => name === 'node.goBack')).toBe(false)

    await press('go-back-dialog-confirm')

    expect(backend.calls).toContainEqual({ name: 'node.goBack', params: { number: 40 } })
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('no such block'))
  })

  it('is offered only at the computer', async () => {
    await open('/node/blocks', atTheComputer(false))

    expect(await screen.findByTestId('reorgs')).toBeTruthy()
    expect(screen.queryByTestId('go-back')).toBeNull()
  })
})

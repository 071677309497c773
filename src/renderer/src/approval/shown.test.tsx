// What the approval view reports about what it shows: to the main process, and to the user about the price.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { SHOWN_QUEUE } from '../../../contract/contract'
import type { RequestView } from '../../../contract/signer'
import { stage } from '../testing/render-app'
import { anInfo, aRequest, aTransaction } from '../testing/scripted-values'
import { ApprovalApp } from './ApprovalApp'

afterEach(cleanup)

/** The ids that the view reported, in order. */
async function show(...waiting: readonly RequestView[]): Promise<readonly (string | null)[]> {
  const told: (string | null)[] = []
  const onShown = (id: string | null): void => void told.push(id)
  await stage(<ApprovalApp requestedId={null} onLeave={() => undefined} onShown={onShown} />, (backend) => {
    backend.answer('app.info', () => anInfo())
    backend.emit('signer.requests', { waiting: [...waiting], waitingCount: waiting.length, takenAt: 0 })
  })
  return told
}

it('reports which request is on the screen, and the list of all as none of them', async () => {
  const told = await show(aRequest(), aRequest({ id: 'request-2', nonce: 'n2' }))
  expect(told.at(-1)).toBe(SHOWN_QUEUE)
  await act(async () => void fireEvent.click(screen.getByTestId('approval-open')))
  expect(told.at(-1)).toBe('request-1')

  await act(async () => void fireEvent.click(screen.getByTestId('approval-queue')))

  expect(told.at(-1)).toBe(SHOWN_QUEUE)
})

it('reports that it shows none', async () => {
  expect(await show()).toEqual([null])
})

it('shows the price that is signed if a request names both kinds', async () => {
  await show(aRequest({ transaction: aTransaction({ gasPrice: '1', maxFeePerGas: '5000000000' }) }))

  const fee = screen.getByTestId('approval-fee').closest('tr')

  expect(fee?.textContent).toContain('5\u00a0gwei')
})

it('renders received data on demand, beginning first, so that no caller can make the view too slow', async () => {
  // Each invisible character becomes an element: puts some on both sides of the limit.
  const raw = `${'a'.repeat(65_530)}${'\u200b'.repeat(4_470)}`
  await show(aRequest({ transaction: aTransaction({ raw }) }))
  expect(screen.queryByTestId('approval-raw')).toBeNull()

  const details = screen.getByText('Raw request').closest('details')
  if (details === null) throw new Error('no details')
  details.open = true
  await act(async () => void fireEvent(details, new Event('toggle')))

  expect(screen.getByTestId('approval-raw').querySelectorAll('mark')).toHaveLength(6)
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Show all 70,000 characters' })))
  expect(screen.getByTestId('approval-raw').querySelectorAll('mark')).toHaveLength(4_470)
})

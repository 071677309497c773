// Notices of the signer: shown once, as text, and not when they are old.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { anEntry, fill, open } from '../../testing/open-app'
// Preloaded; the application loads it with the first notice.
import './ToastList'

afterEach(cleanup)

const refused = (id: number) =>
  anEntry({
    id,
    level: 'warn',
    module: 'signer',
    message: 'request refused automatically',
    fields: [{ name: 'reason', value: 'a\u202eb' }],
  })

describe('a notice', () => {
  it('tells what the signer refused without asking, until it is closed', async () => {
    const { backend } = await open('/')
    await act(async () => void backend.emit('app.activity', { entries: [anEntry(), refused(1)] }))

    const notice = await screen.findByTestId('notice')
    expect(notice.textContent).toContain('request refused automatically')
    expect(notice.textContent).toContain('U+202E')
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Close' })))
    expect(screen.queryByTestId('notice')).toBeNull()
    await act(async () => void backend.emit('app.activity', { entries: [anEntry(), refused(1)] }))
    expect(screen.queryByTestId('notice')).toBeNull()
  })

  it('covers neither earlier events nor other services', async () => {
    const { backend } = await open('/', (scripted) => {
      fill(scripted)
      scripted.emit('app.activity', { entries: [refused(4)] })
    })
    const later = anEntry({ id: 5, level: 'warn', module: 'pool', message: 'connection lost' })
    await act(async () => void backend.emit('app.activity', { entries: [refused(4), later] }))

    expect(screen.queryByTestId('notice')).toBeNull()
  })

  it('is limited to three at a time', async () => {
    const { backend } = await open('/')
    const entries = [anEntry(), ...Array.from({ length: 9 }, (_, index) => refused(index + 1))]
    await act(async () => void backend.emit('app.activity', { entries }))

    expect((await screen.findAllByTestId('notice')).length).toBe(3)
  })
})

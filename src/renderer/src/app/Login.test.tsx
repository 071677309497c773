// Signing in: the page returns to its place, remembering is explained, and visitors on a link are told.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { fill, NOW, open } from '../testing/open-app'
import { anInfo } from '../testing/scripted-values'
import '../screens/Gpus/Gpus'

afterEach(cleanup)

describe('the login', () => {
  it('replaces the page, which returns to where it was', async () => {
    const { backend } = await open('/gpus')
    await screen.findByTestId('gpu-row-0')

    act(() => backend.setConnection({ kind: 'signedOut', refused: true }))
    expect(screen.queryByTestId('gpu-row-0')).toBeNull()
    fireEvent.input(screen.getByTestId('login-token'), { target: { value: 'secret' } })
    fireEvent.click(screen.getByTestId('login-submit'))
    await act(async () => backend.setConnection({ kind: 'open' }))

    expect(await screen.findByTestId('gpu-row-0')).toBeTruthy()
    expect(window.location.hash).toBe('#/gpus')
  })

  it('explains what remembering does, and remembers nothing by default', async () => {
    const { backend } = await open('/gpus')
    act(() => backend.setConnection({ kind: 'signedOut', refused: false }))

    const box = screen.getByRole('checkbox', { name: /stays in this browser, even after it is closed/ })

    expect(box).toHaveProperty('checked', false)
  })
})

describe('a visitor on a link', () => {
  it('is told until when, and what is hidden', async () => {
    await open('/', (backend) => {
      fill(backend)
      const link = { hides: true, expiresAt: NOW + 3_600_000 }
      backend.answer('app.info', () => anInfo({ access: { control: false, approve: false }, link }))
    })

    expect((await screen.findByTestId('link-bar')).textContent).toMatch(/expires in 1.h.*rig names are hidden/)
  })

  it('is nobody else', async () => {
    await open('/')

    expect(screen.queryByTestId('link-bar')).toBeNull()
  })
})

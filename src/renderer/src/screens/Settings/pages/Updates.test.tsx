// The updates card: when it checks, what it found, download progress, what waits, and that an open request comes first.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { UpdatesView } from '../../../../../contract/program/updates'
import { fill, open } from '../../../testing/open-app'
import type { ScriptedBackend } from '../../../testing/scripted'
// Preloaded, so that the timeout of a query doesn't include it; the application loads them on their first visit.
import '../Settings'

afterEach(cleanup)

const NONE: UpdatesView = {
  running: '0.1.0',
  check: 'manual',
  hasAddress: true,
  lookedAt: null,
  work: null,
  failure: '',
  found: null,
  waiting: null,
  isAutomatic: true,
  folder: '/opt/headframe.update',
}
const FOUND = { version: '0.2.0', changes: ['Faster.', 'Safer.'] }

/** What the card sees: each action moves on to the next entry. */
const told = (...views: readonly Partial<UpdatesView>[]) => {
  let at = 0
  const view = (): UpdatesView => ({ ...NONE, ...views[Math.min(at, views.length - 1)] })
  const next = () => {
    at += 1
    return {}
  }
  return (backend: ScriptedBackend): void => {
    fill(backend)
    backend
      .answer('app.options', () => ({ file: '/d/config.toml', sections: [] }))
      .answer('app.updates', view)
      .answer('app.updateLook', () => {
        next()
        return view()
      })
      .answer('app.updateFetch', next)
      .answer('app.updateForget', next)
  }
}
const press = (id: string) => act(async () => void fireEvent.click(screen.getByTestId(id)))
const show = async (...views: readonly Partial<UpdatesView>[]) => {
  const opened = await open('/settings/updates', told(...views))
  await screen.findByTestId('newer')
  return opened
}

describe('the updates', () => {
  it('say why they aren’t known, until they are', async () => {
    const { backend, pass } = await open('/settings/updates', (scripted) => {
      told({})(scripted)
      scripted.answer('app.updates', () => Promise.reject(new Error('no such file')))
    })

    expect((await screen.findByTestId('updates')).textContent).toContain('no such file')
    backend.answer('app.updates', () => NONE)
    for (let second = 0; second < 17; second++) await pass(1_000)
    expect(screen.getByTestId('newer').textContent).toContain('not yet')
  })

  it('are searched, found with what changed, downloaded, and wait for a restart', async () => {
    const found = { lookedAt: 1, found: FOUND }
    const fetching = { ...found, work: { kind: 'fetch', doneBytes: 42, totalBytes: 100 } } as const
    const { clock } = await show({}, found, fetching)
    expect(screen.getByTestId('newer').textContent).toContain('not yet')

    await press('update-look')
    expect(screen.getByTestId('update-found').textContent).toContain('Faster.')
    await press('update-fetch')
    expect(screen.getByTestId('update-work').textContent).toContain('42')
    expect(screen.queryByTestId('update-fetch')).toBeNull()
    expect(clock).toBeDefined()
  })

  it('are read again while a download runs', async () => {
    const { backend, clock } = await show({ work: { kind: 'fetch', doneBytes: 0, totalBytes: 100 } })
    const asked = () => backend.calls.filter(({ name }) => name === 'app.updates').length
    const before = asked()

    await act(async () => clock.advance(1_000))

    expect(asked()).toBe(before + 1)
  })

  it('can be discarded before the restart', async () => {
    await show({ waiting: { version: '0.2.0' } }, {})
    expect(screen.getByTestId('update-waits').textContent).toContain('the next time you start')

    await press('update-forget')

    expect(screen.queryByTestId('update-waits')).toBeNull()
  })

  it('of a package name its folder', async () => {
    await show({ waiting: { version: '0.2.0' }, isAutomatic: false })

    expect(screen.getByTestId('update-waits').textContent).toContain('/opt/headframe.update')
  })

  it('say why a check failed, and that there is none newer', async () => {
    await show({}, { lookedAt: 1, failure: 'the host is silent' }, { lookedAt: 2 })
    await press('update-look')
    expect(screen.getByTestId('update-failed').textContent).toContain('the host is silent')
    expect(screen.queryByTestId('update-newest')).toBeNull()

    await press('update-look')
    expect(screen.getByTestId('update-newest')).toBeTruthy()
  })

  it.each([
    [{ check: 'never' } as const, 'contacts no update server'],
    [{ hasAddress: false }, 'Name the update server'],
  ])("aren't searched for with %o", async (view, text) => {
    await show(view)

    expect(screen.getByTestId('newer').textContent).toContain(text)
    expect(screen.queryByTestId('update-look')).toBeNull()
  })
})

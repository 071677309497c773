// Another data folder: its path is typed in a browser or picked in a window, checked, requested, and moved by a
// restart.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { DataFolderView, FolderCheckView } from '../../../../../contract/program/data-folder'
import { fill, open } from '../../../testing/open-app'
import type { ScriptedBackend } from '../../../testing/scripted'
import { anInfo } from '../../../testing/scripted-values'
// Preloaded, so that the timeout of a query doesn't include it; the application loads them on their first visit.
import '../Settings'

afterEach(cleanup)

const FREE: FolderCheckView = {
  folder: '/mnt/big/headframe',
  verdict: 'move',
  detail: '',
  freeBytes: 5_000_000_000,
  neededBytes: 1_000_000_000,
  isNetworkDrive: false,
  instead: null,
}

const withFolder =
  (options: { view?: Partial<DataFolderView>; check?: Partial<FolderCheckView>; here?: boolean }) =>
  (backend: ScriptedBackend): void => {
    fill(backend)
    const { view, check, here = true } = options
    let change = view?.change ?? null
    backend
      .answer('app.info', () => anInfo({ access: { control: true, approve: false, here } }))
      .answer('app.options', () => ({ file: '/d/config.toml', sections: [] }))
      .answer('app.dataFolder', () => ({ folder: '/d', canPick: false, ...view, change }))
      .answer('app.checkFolder', ({ folder }) => ({ ...FREE, folder, ...check }))
      .answer('app.pickFolder', () => ({ folder: '/picked' }))
      .answer('app.changeFolder', ({ folder }) => {
        change = folder === null ? null : { to: folder, kind: 'move', failed: '' }
        return {}
      })
      .answer('app.restart', () => ({}))
  }
const press = (id: string) => act(async () => void fireEvent.click(screen.getByTestId(id)))
const type = async (path: string) => {
  fireEvent.change(await screen.findByTestId('folder-path'), { target: { value: path } })
  await press('folder-check')
}
const calls = (backend: ScriptedBackend, name: string) =>
  backend.calls.filter((call) => call.name === name).map(({ params }) => params)

describe('the data folder', () => {
  it('is typed, checked, requested and moved by a restart', async () => {
    const { backend } = await open('/settings/node', withFolder({}))
    await type(' /mnt/big/headframe ')

    const verdict = screen.getByTestId('folder-verdict')
    expect(verdict.textContent).toContain('/mnt/big/headframe')
    expect(verdict.textContent).toContain('Nothing runs until')
    await press('folder-take')
    expect(calls(backend, 'app.changeFolder')).toEqual([{ folder: '/mnt/big/headframe' }])
    await press('restart-dialog-confirm')

    expect(calls(backend, 'app.restart')).toHaveLength(1)
    expect(screen.getByTestId('folder-wish').textContent).toContain('Everything moves to /mnt/big/headframe')
  })

  it('is picked in the system’s dialog if there is one', async () => {
    const { backend } = await open('/settings/node', withFolder({ view: { canPick: true }, check: { neededBytes: 0 } }))
    await screen.findByTestId('folder-pick')
    expect(screen.queryByTestId('folder-path')).toBeNull()

    await press('folder-pick')

    expect(calls(backend, 'app.checkFolder')).toEqual([{ folder: '/picked' }])
    expect(screen.getByTestId('folder-verdict').textContent).not.toContain('Nothing runs until')
  })

  it.each(['same', 'inside', 'foreign', 'notFolder', 'unwritable', 'noRoom', 'busy', 'unmovable', 'named'] as const)(
    'can’t be one that is %s, and says so',
    async (verdict) => {
      await open('/settings/node', withFolder({ check: { verdict, detail: 'this' } }))
      await type('/x')

      expect(screen.getByTestId('folder-verdict').dataset.state).toBe(verdict)
      expect(screen.queryByTestId('folder-take')).toBeNull()
    },
  )

  it('offers a free name in a folder of others', async () => {
    const { backend } = await open(
      '/settings/node',
      withFolder({ check: { verdict: 'foreign', instead: '/x/headframe' } }),
    )
    await type('/x')

    await press('folder-instead')

    expect(calls(backend, 'app.checkFolder')).toEqual([{ folder: '/x' }, { folder: '/x/headframe' }])
  })

  it('shows a pending request, and withdraws it', async () => {
    const change = { to: '/y', kind: 'use', failed: '' } as const
    const { backend } = await open('/settings/node', withFolder({ view: { change } }))
    expect((await screen.findByTestId('folder-wish')).textContent).toContain('Headframe uses /y')
    expect(screen.queryByTestId('folder-path')).toBeNull()

    await press('folder-keep')

    expect(calls(backend, 'app.changeFolder')).toEqual([{ folder: null }])
    expect(screen.queryByTestId('folder-wish')).toBeNull()
  })

  it('says why the last change failed, and allows another attempt', async () => {
    const change = { to: '/y', kind: 'move', failed: 'ENOSPC: no space left on device' } as const
    await open('/settings/node', withFolder({ view: { change } }))

    expect((await screen.findByTestId('folder-wish')).textContent).toContain('no space left')
    expect(screen.getByTestId('folder-path')).toBeTruthy()
    expect(screen.queryByTestId('folder-restart')).toBeNull()
  })

  it("can't be changed from another computer", async () => {
    const { backend } = await open('/settings/node', withFolder({ here: false }))
    await screen.findByTestId('data-folder')

    expect(screen.getByTestId('data-folder').textContent).toContain('only on the computer that runs Headframe')
    expect(calls(backend, 'app.dataFolder')).toEqual([])
  })
})

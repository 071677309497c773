import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { settingsDeps } from '../testing/test-settings'
import { folderCalls } from './folder-calls'
import type { UiAccess } from './ui-handlers'

const HERE = { control: true, approve: false, canSignIn: false, isHere: true }
const { signal } = new AbortController()

describe('the calls of the data folder', () => {
  let root = ''
  let dir = ''
  let changes = 0
  const calls = (access: UiAccess, argv: readonly string[] = []) => {
    const deps = settingsDeps(dir, new FakeClock(), argv)
    return folderCalls({ ...deps, onChanged: () => void changes++ }, access)
  }
  const wishFile = () => join(dir, 'folder-change.json')

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'headframe-folder-'))
    dir = join(root, 'data')
    mkdirSync(dir)
    changes = 0
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('record a request for the next start, and can withdraw it', async () => {
    const to = join(root, 'new')
    await calls(HERE)['app.changeFolder']({ folder: to }, signal)
    expect(JSON.parse(readFileSync(wishFile(), 'utf8'))).toEqual({ to, kind: 'move', failed: '' })

    await calls(HERE)['app.changeFolder']({ folder: null }, signal)

    expect(existsSync(wishFile())).toBe(false)
    expect(changes).toBe(2)
  })

  it('record nothing impossible, and nothing from a read-only address', async () => {
    const at = (access: UiAccess, folder: string) => calls(access)['app.changeFolder']({ folder }, signal)
    await expect(at(HERE, dir)).rejects.toThrow('same')
    await expect(at(HERE, join(dir, 'inner'))).rejects.toThrow('inside')
    await expect(at(HERE, 'relative/path')).rejects.toThrow('not an absolute path')
    await expect(at(HERE, '/a\nb')).rejects.toThrow('not an absolute path')
    await expect(at({ ...HERE, control: false }, join(root, 'new'))).rejects.toThrow('read-only')
    expect(existsSync(wishFile())).toBe(false)
  })

  it('name the options that set the present folder', async () => {
    const argv = ['--signer.keystore', join(dir, 'keys')]
    const check = await calls(HERE, argv)['app.checkFolder']({ folder: join(root, 'new') }, signal)

    expect(check).toMatchObject({ verdict: 'named', detail: '--signer.keystore' })
  })

  it('in the desktop program check only what the user chose in the dialog, and ask again', async () => {
    const to = join(root, 'new')
    const asked: unknown[] = []
    const confirm = async (question: unknown): Promise<boolean> => asked.push(question) > 1
    const own = calls({ ...HERE, confirm, pickFolder: async () => to })
    await expect(own['app.checkFolder']({ folder: to }, signal)).rejects.toThrow('not chosen in the dialog')

    await own['app.pickFolder']({}, signal)
    expect(await own['app.checkFolder']({ folder: to }, signal)).toMatchObject({ verdict: 'move' })
    await expect(own['app.checkFolder']({ folder: '/tmp' }, signal)).rejects.toThrow('not chosen in the dialog')
    await expect(own['app.changeFolder']({ folder: to }, signal)).rejects.toThrow('not confirmed')
    expect(existsSync(wishFile())).toBe(false)
    await own['app.changeFolder']({ folder: to }, signal)

    expect(asked[0]).toEqual({ kind: 'setting', name: '--datadir', value: to })
    expect(existsSync(wishFile())).toBe(true)
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { DEFAULT_WINDOW_STATE, readWindowState, writeWindowState } from './window-state'

describe('the stored window state', () => {
  const dir = mkdtempSync(join(tmpdir(), 'headframe-window-'))
  const file = join(dir, 'window.json')
  afterAll(() => rmSync(dir, { recursive: true }))

  it('comes back as it was stored', () => {
    const state = { place: { x: -5, y: 20 }, width: 900, height: 700, maximized: true, zoom: 1.25, trayExplained: true }

    writeWindowState(file, state, silentLogger)

    expect(readWindowState(file)).toEqual(state)
  })

  it.each(['', '{', '{"width":1}', '{"place":null,"width":1e9,"height":700,"maximized":false}'])(
    'is the default one if the file holds %j',
    (text) => {
      writeFileSync(file, text)

      expect(readWindowState(file)).toEqual(DEFAULT_WINDOW_STATE)
    },
  )

  it('of an older version lacks later fields', () => {
    writeFileSync(file, '{"place":null,"width":900,"height":700,"maximized":true}')

    expect(readWindowState(file)).toMatchObject({ width: 900, zoom: 1, trayExplained: false })
  })

  it('is the default one before the first', () => {
    expect(readWindowState(join(dir, 'none.json'))).toEqual(DEFAULT_WINDOW_STATE)
  })
})

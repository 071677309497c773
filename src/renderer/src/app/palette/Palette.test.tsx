// The palette: its key opens it anywhere except while typing, and it leads to what is named.
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { fill, open } from '../../testing/open-app'
import { aRig, aRigGpu, someFigures, someRigs } from '../../testing/scripted-rigs'
import { hashOf, OWN_ADDRESS } from '../../testing/scripted-values'
// Preloaded; the application loads it when it is first opened.
import './Palette'

beforeAll(() => {
  // jsdom does no layout.
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined
      unobserve = () => undefined
      disconnect = () => undefined
    },
  )
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(cleanup)

const openPalette = async () => {
  await act(async () => void fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true }))
  return screen.findByTestId('palette-input')
}
const type = (field: HTMLElement, value: string) => act(async () => void fireEvent.change(field, { target: { value } }))
const enter = (field: HTMLElement) => act(async () => void fireEvent.keyDown(field, { key: 'Enter' }))

describe('the palette', () => {
  it('goes to a screen, a device and an account by a few letters', async () => {
    await open('/')
    for (const [text, hash] of [
      ['sett', '#/settings'],
      ['epyc', '#/gpus/0'],
      [OWN_ADDRESS.slice(2, 24), `#/accounts/${OWN_ADDRESS}`],
    ] as const) {
      const field = await openPalette()
      await type(field, text)
      await enter(field)
      expect(window.location.hash).toBe(hash)
      expect(screen.queryByTestId('palette')).toBeNull()
    }
  })

  it('goes to a height, and asks the node what a hash is', async () => {
    const { backend } = await open('/')
    const height = await openPalette()
    await type(height, '1234')
    await enter(height)
    expect(window.location.hash).toBe('#/node/block/1234')

    backend.answer('node.block', () => ({ block: null }))
    const hash = await openPalette()
    await type(hash, hashOf('e'))
    await enter(hash)
    expect(window.location.hash).toBe(`#/node/tx/${hashOf('e')}`)
  })

  it('pauses the rigs of a rack, says what that stops, and takes it back as it was', async () => {
    const gpus = [aRigGpu(), aRigGpu({ paused: true })]
    const rigs = [
      aRig('a', { group: 'rack03', figures: someFigures({ gpus }) }),
      aRig('b', { group: 'rack03' }),
      aRig('c', { group: 'rack04' }),
    ]
    const { backend } = await open('/', (scripted) => {
      fill(scripted)
      scripted.emit('miner.rigs', someRigs(rigs))
      scripted.answer('miner.rigCommand', ({ rigs: names }) => ({
        results: names.map((rig) => ({ rig, error: '', status: 200, reading: 1 })),
      }))
    })
    const asked = () => backend.calls.flatMap(({ name, params }) => (name === 'miner.rigCommand' ? [params] : []))

    const field = await openPalette()
    await type(field, 'pause rack03')
    expect(screen.getByTestId('palette').textContent).toContain('Pause rack033 GPUs')
    await enter(field)
    await waitFor(() => expect(asked()).toEqual([{ rigs: ['a', 'b'], action: 'pause', gpu: null }]))
    expect((await screen.findByTestId('rigs-commanded')).textContent).toContain('rack03: 2 rigs paused')
    await act(async () => void fireEvent.click(screen.getByTestId('rigs-undo')))

    await waitFor(() =>
      expect(asked().slice(1)).toEqual([
        { rigs: ['b'], action: 'resume', gpu: null },
        { rigs: ['a'], action: 'resume', gpu: 0 },
      ]),
    )
  })

  it('says that nothing matches', async () => {
    await open('/')
    await type(await openPalette(), 'zzzzqqqq')

    expect(screen.getByText('No matches')).toBeTruthy()
  })

  it("doesn't open on the login page", async () => {
    await open('/sign-in', fill)
    await act(async () => void fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true }))

    expect(screen.queryByTestId('palette')).toBeNull()
  })
})

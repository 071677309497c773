// Adding and changing rigs on the page, and what a program that only monitors shows.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { RigsView, RigView } from '../../../../contract/rigs'
import { fill, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aRig, someFigures, someRigs } from '../../testing/scripted-rigs'
import { anInfo } from '../../testing/scripted-values'
// Preloaded, so that the timeout of a query doesn't include it; the application loads them on their first visit.
import './RigCards'
import './detail/RigDetail'
import './Rigs'

afterEach(cleanup)

const press = (element: HTMLElement) => act(async () => void fireEvent.click(element))
const type = (id: string, value: string) =>
  act(async () => void fireEvent.input(screen.getByTestId(id), { target: { value } }))

async function visit(path: string, rigs: readonly RigView[], change: Partial<RigsView> = {}, ok = true) {
  const scene = await open(path, (backend: ScriptedBackend) => {
    fill(backend)
    backend
      .answer('miner.rigHistory', () => null)
      .answer('miner.rigSave', () => ({ kept: true, reason: '' }))
      .answer('miner.rigTest', () =>
        ok
          ? { ok: true, fault: '', figures: someFigures() }
          : { ok: false, fault: 'connection refused', figures: null },
      )
      .emit('miner.rigs', someRigs(rigs, change))
  })
  const asked = (name: string) => scene.backend.calls.flatMap((call) => (call.name === name ? [call.params] : []))
  return { ...scene, asked }
}

describe('a rig', () => {
  it('is added once it has answered, with its token', async () => {
    const { asked } = await visit('/rigs', [aRig('a')])
    await press(await screen.findByTestId('rig-add'))
    expect(screen.getByTestId('rig-form-save').getAttribute('aria-disabled')).toBe('true')

    await type('rig-form-address', ' 10.0.0.7:3333 ')
    await type('rig-form-name', 'shed')
    await type('rig-form-token', 'secret')
    await press(screen.getByTestId('rig-form-test'))
    expect(screen.getByTestId('rig-test-result').textContent).toBe('Connected: 1 GPU, 59.00\u00a0MH/s, version 0.3.0')
    await press(screen.getByTestId('rig-form-save'))

    const typed = { replaces: null, name: 'shed', address: '10.0.0.7:3333', token: 'secret' }
    expect([asked('miner.rigTest'), asked('miner.rigSave')]).toEqual([[typed], [typed]])
    expect(screen.queryByTestId('rig-form')).toBeNull()
    expect(screen.getByTestId('rig-added').textContent).toBe('Added shed')
  })

  it("that doesn't answer is tested before it is saved, and saved only on a second request", async () => {
    const { asked } = await visit('/rigs', [aRig('a')], {}, false)
    await press(await screen.findByTestId('rig-add'))
    await type('rig-form-address', '10.0.0.7:3333')

    await press(screen.getByTestId('rig-form-save'))
    expect(screen.getByTestId('rig-test-result').textContent).toBe('Can’t reach the rig: connection refused')
    expect(asked('miner.rigSave')).toEqual([])
    expect(screen.getByTestId('rig-form-save').textContent).toBe('Save anyway')
    await press(screen.getByTestId('rig-form-save'))

    expect(asked('miner.rigSave')).toHaveLength(1)
  })

  it('says what is wrong with the input', async () => {
    const { backend } = await visit('/rigs', [aRig('a')])
    backend.answer('miner.rigTest', () => {
      throw new Error('the address is not HOST:PORT')
    })
    await press(await screen.findByTestId('rig-add'))
    await type('rig-form-address', 'nonsense')

    await press(screen.getByTestId('rig-form-save'))

    expect(screen.getByTestId('rig-form-fault').textContent).toBe('the address is not HOST:PORT')
    expect(screen.getByTestId('rig-form')).toBeTruthy()
  })

  it('keeps its stored token unless another is typed, it is removed, or the address changes', async () => {
    const { asked } = await visit('/rigs/a', [aRig('a', { host: 'h:1' })])
    const saved = () => asked('miner.rigSave').at(-1)
    const begin = async (): Promise<void> => press(await screen.findByTestId('rig-change'))

    await begin()
    expect(screen.getByText('A token is saved. Leave empty to keep it.')).toBeTruthy()
    await press(screen.getByTestId('rig-form-save'))
    expect(saved()).toEqual({ replaces: 'a', name: 'a', address: 'h:1', token: null })

    await begin()
    await press(screen.getByTestId('rig-form-forget'))
    await press(screen.getByTestId('rig-form-save'))
    expect(saved()).toMatchObject({ token: '' })

    await begin()
    await type('rig-form-address', 'h:2')
    expect(screen.getByText(/The saved token belongs to the old address/)).toBeTruthy()
    await press(screen.getByTestId('rig-form-save'))
    expect(saved()).toMatchObject({ address: 'h:2', token: '' })
  })

  it("that isn't in the file is marked as ending with this run", async () => {
    await visit('/rigs', [aRig('a')], { notKept: 'set by command line --rig' })

    expect((await screen.findByTestId('rigs-not-kept')).textContent).toBe(
      'Changed until restart only; the rig list couldn’t be saved: set by command line --rig',
    )
  })

  it("can't be added by read-only users, nor without a monitor", async () => {
    const { backend } = await visit('/rigs', [aRig('a')], { isEditable: false })
    await screen.findByTestId('rig-a')
    expect(screen.queryByTestId('rig-add')).toBeNull()

    backend.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
    await act(async () => backend.setConnection({ kind: 'open' }))
    await act(async () => void backend.emit('miner.rigs', someRigs([aRig('a')])))
    expect(screen.queryByTestId('rig-add')).toBeNull()
  })
})

describe('a monitor', () => {
  const rigs = [aRig('a'), aRig('b', { online: false, error: 'timeout', ageSeconds: 90 })]

  it('shows the rigs instead of its own miner on the first screen', async () => {
    await visit('/', rigs, { mining: false })

    expect((await screen.findByTestId('rigs-totals')).textContent).toContain('1 of 2 online')
    expect(screen.getByTestId('rigs-away').textContent).toContain('timeout')
    expect(screen.queryByTestId('total-hashrate')).toBeNull()
  })

  it('has alarm rules for rigs only', async () => {
    await visit('/rigs', rigs, { mining: false })

    expect(await screen.findByTestId('alarm-rule-rigOfflineSeconds')).toBeTruthy()
    expect(screen.queryByTestId('alarm-rule-poolLostSeconds')).toBeNull()
  })
})

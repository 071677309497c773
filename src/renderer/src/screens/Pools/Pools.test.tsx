// The list of pools: what it shows, what it allows, and what it confirms first.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aPool, KEPT, show, withPools } from '../../testing/scripted-pools'
import { anInfo, aStatus } from '../../testing/scripted-values'
// Preloaded, so that the timeout of a query doesn't include it; the application loads them on their first visit.
import './Pools'

afterEach(cleanup)

const press = (element: HTMLElement) => act(async () => void fireEvent.click(element))
const callsOf = (backend: ScriptedBackend, name: string) => backend.calls.filter((call) => call.name === name)

describe('pools', () => {
  it("are in failover order, with what each is for and why one isn't used", async () => {
    await open('/pools', withPools(aPool(0), aPool(1, { state: 'unusable', lastFault: 'login refused\u202e' })))

    const first = within(await screen.findByTestId('pool-row-0'))
    expect(first.getByText('Active')).toBeTruthy()
    expect(first.getByText('Not encrypted')).toBeTruthy()
    const second = screen.getByTestId('pool-row-1')
    expect(second.dataset.state).toBe('unusable')
    expect(second.textContent).toContain('login refused')
    expect(second.textContent).toContain('U+202E')
  })

  it('are none if the miner works for its own node, and the way to some is shown', async () => {
    await open('/pools', (backend) => {
      fill(backend)
      backend.emit('miner.pools', { kind: 'solo', pools: [], takenAt: NOW })
    })

    expect(await screen.findByText('Solo mining on your own node')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open pool settings' }).getAttribute('href')).toBe('#/settings/pool')
  })

  it("show the pool's warning as the miner words it", async () => {
    await open('/pools', (backend) => {
      withPools(aPool(0))(backend)
      backend.emit(
        'miner.status',
        aStatus({ source: { ...aStatus().source, kind: 'pool', warning: 'pool holds 51%' } }),
      )
    })

    expect((await screen.findByTestId('pool-warning')).textContent).toContain('pool holds 51%')
  })

  it('are switched only after a confirmation, and shown as switched once a reading confirms it', async () => {
    const { backend } = await open('/pools', withPools(aPool(0), aPool(1)))
    backend.answer('miner.poolActivate', () => ({}))

    await press(await screen.findByTestId('pool-switch-1'))
    expect(callsOf(backend, 'miner.poolActivate')).toEqual([])
    expect(screen.getByTestId('pool-switch').textContent).toContain('Ends the session with pool0.example:4444')
    await press(screen.getByTestId('pool-switch-confirm'))

    expect(callsOf(backend, 'miner.poolActivate')).toEqual([
      { name: 'miner.poolActivate', params: { index: 1, shown: aPool(1).url } },
    ])
    expect(screen.getByTestId('pool-switch-1').dataset.state).toBe('pending')
    expect(screen.getByTestId('pool-row-0').dataset.state).toBe('active')
    const switched = [aPool(0, { active: false, state: 'idle' }), aPool(1, { active: true, state: 'active' })]
    act(() => void show(backend, switched))

    expect(screen.queryByTestId('pool-switch-1')).toBeNull()
    expect(screen.getByTestId('pool-switch-0').dataset.state).toBe('idle')
  })

  it("say after 15 s that a switch wasn't confirmed", async () => {
    const { backend, pass } = await open('/pools', withPools(aPool(0), aPool(1)))
    backend.answer('miner.poolActivate', () => ({}))
    await press(await screen.findByTestId('pool-switch-1'))
    await press(screen.getByTestId('pool-switch-confirm'))

    await pass(15_000)

    expect(screen.getByTestId('pool-switch-1').dataset.state).toBe('unconfirmed')
    expect(screen.getByTestId('pool-row-1').textContent).toContain('still isn’t active after 15 s')
  })

  it("aren't switched if the user cancels", async () => {
    const { backend } = await open('/pools', withPools(aPool(0), aPool(1)))
    await press(await screen.findByTestId('pool-switch-1'))

    await press(screen.getByRole('button', { name: 'Cancel' }))

    expect(screen.queryByTestId('pool-switch')).toBeNull()
    expect(callsOf(backend, 'miner.poolActivate')).toEqual([])
  })

  it("can't be removed while active, and otherwise are removed after a confirmation", async () => {
    const { backend } = await open('/pools', withPools(aPool(0), aPool(1)))
    backend.answer('miner.poolRemove', () => {
      throw new WireError('CONTRACT_DENIED', { name: 'miner.poolRemove', access: 'control', reason: 'read only' })
    })

    await press(await screen.findByTestId('pool-remove-0'))
    expect(screen.queryByTestId('pool-remove')).toBeNull()
    expect(screen.getByTestId('pool-remove-0').textContent).toContain('Switch to another one first')
    await press(screen.getByTestId('pool-remove-1'))
    await press(screen.getByTestId('pool-remove-confirm'))

    expect(callsOf(backend, 'miner.poolRemove')).toEqual([
      { name: 'miner.poolRemove', params: { index: 1, shown: aPool(1).url } },
    ])
    expect(screen.getByRole('alert').textContent).toContain('Can’t remove the pool')
  })

  it('are added by their address; errors are shown beside the field', async () => {
    const { backend } = await open('/pools', withPools(aPool(0)))
    backend.answer('miner.poolAdd', ({ url }) => {
      if (url.startsWith('stratum')) return KEPT
      throw new WireError('CONTRACT_INVALID', { name: 'pool address', reason: 'unknown scheme "ftp"' })
    })
    const field = await screen.findByTestId('pool-url')

    await press(screen.getByTestId('pool-add-submit'))
    expect(screen.getByRole('alert').textContent).toBe('Enter a pool address.')
    fireEvent.change(field, { target: { value: 'ftp://a:1' } })
    await press(screen.getByTestId('pool-add-submit'))
    expect(screen.getByRole('alert').textContent).toContain('unknown scheme "ftp"')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    fireEvent.change(field, { target: { value: ' stratum+tcp://me:secret@new.example:1/x ' } })
    await press(screen.getByTestId('pool-add-submit'))

    expect(callsOf(backend, 'miner.poolAdd').at(-1)?.params).toEqual({ url: 'stratum+tcp://me:secret@new.example:1/x' })
    expect(screen.getByTestId('pool-added').textContent).toContain('Added new.example:1')
    expect(screen.getByTestId('pool-added').textContent).not.toContain('until restart only')
    expect(screen.getByTestId('pool-add').textContent).not.toContain('secret')
  })

  it('are added with a login beside the address, taken literally; the form shows what the pool will see', async () => {
    const { backend } = await open('/pools', withPools(aPool(0)))
    backend.answer('miner.poolAdd', () => KEPT)
    const type = (name: string, value: string) => fireEvent.change(screen.getByTestId(name), { target: { value } })
    await screen.findByTestId('pool-url')
    type('pool-url', 'stratum+tls://new.example:1')
    type('pool-user', 'me@mail.example')
    type('pool-worker', 'rig.1')
    type('pool-password', 'a:b@c')
    type('pool-proxy', 'socks5://127.0.0.1:9050')
    const seen = screen.getByTestId('pool-parts').textContent

    for (const part of ['as me@mail.example, worker rig.1, password set', '127.0.0.1:9050'])
      expect(seen).toContain(part)
    expect(seen).not.toContain('a:b')
    await press(screen.getByTestId('pool-add-submit'))
    expect(callsOf(backend, 'miner.poolAdd').at(-1)?.params).toEqual({
      url: 'stratum+tls://`me%40mail%2Eexample`.`rig%2E1`:a%3Ab%40c@new.example:1?proxy=socks5%3A%2F%2F127.0.0.1%3A9050',
    })
    expect(screen.getByTestId<HTMLInputElement>('pool-password').value).toBe('')
  })

  it('say what is wrong with a payout address before anything is sent', async () => {
    const { backend } = await open('/pools', withPools(aPool(0)))
    const field = await screen.findByTestId('pool-url')
    const type = (value: string) => fireEvent.change(field, { target: { value } })
    const address = '0x52908400098527886E0F7030069857D2E4169EE7'

    type(`stratum+tls://${address.slice(0, -1)}.rig@new.example:1`)
    expect(screen.getByTestId('pool-parts').textContent).toContain('39 digits after 0x')
    type(`stratum+tls://${address.replace('EE7', 'Ee7')}.rig@new.example:1`)
    expect(screen.getByTestId('pool-parts-warning').textContent).toContain('checksum')
    type('stratum+tls://account/rig.1@new.example:1')
    expect(screen.getByTestId('pool-parts').textContent).toContain('two meanings')
    type(`stratum+tls://me@new.example:1`)
    fireEvent.change(screen.getByTestId('pool-user'), { target: { value: 'else' } })
    await press(screen.getByTestId('pool-add-submit'))
    expect(screen.getByRole('alert').textContent).toContain('the user is given twice')
    expect(callsOf(backend, 'miner.poolAdd')).toEqual([])
  })

  it("say if a change doesn't outlive this run, and why", async () => {
    const { backend } = await open('/pools', withPools(aPool(0)))
    backend.answer('miner.poolAdd', () => ({ kept: false, reason: 'set by command line -P' }))

    fireEvent.change(await screen.findByTestId('pool-url'), { target: { value: 'stratum+tcp://me@new.example:1' } })
    await press(screen.getByTestId('pool-add-submit'))

    expect(screen.getByTestId('pool-added').textContent).toContain('until restart only')
    expect(screen.getByTestId('pool-added').textContent).toContain('set by command line -P')
  })

  it('are moved by Alt and an arrow, and the focus moves with them', async () => {
    const { backend } = await open('/pools', withPools(aPool(0), aPool(1), aPool(2)))
    backend.answer('miner.poolMove', () => KEPT)
    const grip = await screen.findByTestId('pool-grip-2')
    grip.focus()

    fireEvent.keyDown(grip, { key: 'ArrowUp' })
    await act(async () => void fireEvent.keyDown(grip, { key: 'ArrowUp', altKey: true }))
    act(() => void show(backend, [aPool(0), { ...aPool(2), index: 1 }, { ...aPool(1), index: 2 }]))

    expect(callsOf(backend, 'miner.poolMove')).toEqual([
      { name: 'miner.poolMove', params: { index: 2, shown: aPool(2).url, to: 1 } },
    ])
    expect(screen.getByTestId('pool-said').textContent).toBe('pool2.example:4444 is now number 2 of 3. Saved.')
    expect(screen.getByTestId('pool-row-1').textContent).toContain('pool2.example:4444')
    expect(document.activeElement).toBe(screen.getByTestId('pool-grip-1'))
  })

  it('are dropped where they were dragged, and nothing else may be dropped there', async () => {
    const { backend } = await open('/pools', withPools(aPool(0), aPool(1), aPool(2)))
    backend.answer('miner.poolMove', () => KEPT)
    const carried = new Map<string, string>()
    const dataTransfer = {
      setData: (type: string, value: string) => void carried.set(type, value),
      getData: (type: string) => carried.get(type) ?? '',
      get types() {
        return [...carried.keys()]
      },
    }
    const target = await screen.findByTestId('pool-row-0')

    await act(async () => void fireEvent.drop(target, { dataTransfer: { ...dataTransfer, types: ['text/plain'] } }))
    expect(callsOf(backend, 'miner.poolMove')).toEqual([])
    fireEvent.dragStart(screen.getByTestId('pool-grip-2'), { dataTransfer })
    await act(async () => void fireEvent.drop(target, { dataTransfer }))

    expect(callsOf(backend, 'miner.poolMove')).toEqual([
      { name: 'miner.poolMove', params: { index: 2, shown: aPool(2).url, to: 0 } },
    ])
  })

  it('are moved again after a move whose order is shown before it is answered', async () => {
    const { backend } = await open('/pools', withPools(aPool(0), aPool(1), aPool(2)))
    const answers: ((kept: typeof KEPT) => void)[] = []
    backend.answer('miner.poolMove', () => new Promise<typeof KEPT>((resolve) => answers.push(resolve)))

    await press(await screen.findByTestId('pool-up-2'))
    act(() => void show(backend, [aPool(0), { ...aPool(2), index: 1 }, { ...aPool(1), index: 2 }]))
    await press(screen.getByTestId('pool-up-2'))
    expect(callsOf(backend, 'miner.poolMove')).toHaveLength(1)
    await act(async () => answers[0]?.(KEPT))

    expect(callsOf(backend, 'miner.poolMove').map(({ params }) => params)).toEqual([
      { index: 2, shown: aPool(2).url, to: 1 },
      { index: 2, shown: aPool(1).url, to: 1 },
    ])
  })

  it('stay where they were if the move fails, with the reason', async () => {
    const { backend } = await open('/pools', withPools(aPool(0), aPool(1)))
    backend.answer('miner.poolMove', () => {
      throw new WireError('CONTRACT_DENIED', { name: 'miner.poolMove', access: 'control', reason: 'read only' })
    })

    await press(await screen.findByTestId('pool-down-0'))

    expect(screen.getByRole('alert').textContent).toContain('Can’t change the order')
    expect(screen.getByTestId('pool-row-0').textContent).toContain('pool0.example:4444')
  })

  it('that are planned are listed in a run that mines for its own node, without a switch', async () => {
    await open('/pools', (backend) => {
      fill(backend)
      const planned = { ...aPool(0), active: false, state: 'planned' } as const
      backend.emit('miner.pools', { kind: 'solo', pools: [planned], takenAt: NOW })
    })

    expect((await screen.findByTestId('pool-row-0')).textContent).toContain('After the restart')
    expect(screen.queryByTestId('pool-switch-0')).toBeNull()
    expect(screen.getByTestId('pool-remove-0').getAttribute('aria-disabled')).toBeNull()
  })

  it('are tested without being used; new text invalidates an old answer', async () => {
    const { backend } = await open('/pools', withPools(aPool(0)))
    const answers: ((fault: string) => void)[] = []
    backend.answer(
      'miner.poolTest',
      () =>
        new Promise((done) =>
          answers.push((fault) =>
            done({
              ok: fault === '',
              fault,
              trouble: null,
              dialect: 'stratum',
              height: 7,
              epoch: 0,
              difficulty: 4_294_967_296,
              latencyMs: 41,
            }),
          ),
        ),
    )
    const field = await screen.findByTestId('pool-url')
    const test = within(screen.getByTestId('pool-add')).getByRole('button', { name: /^Test/ })
    fireEvent.change(field, { target: { value: 'stratum+tcp://a.example:1' } })
    await press(test)
    fireEvent.change(field, { target: { value: 'stratum+tcp://b.example:1' } })
    await press(test)

    await act(async () => answers[0]?.('old'))
    expect(screen.queryByTestId('pool-test-result')).toBeNull()
    await act(async () => answers[1]?.(''))

    expect(screen.getByTestId('pool-test-result').dataset.state).toBe('ok')
    expect(screen.getByTestId('pool-test-result').textContent).toContain('mining block 7')
    expect(screen.getByTestId('pool-test-result').textContent).toContain('4.29\u00a0G')
  })

  it('have no controls for read-only users', async () => {
    await open('/pools', (backend) => {
      withPools(aPool(0), aPool(1))(backend)
      backend.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
    })

    // Figures still open what they are made of.
    const buttons = within(await screen.findByTestId('pool-list')).queryAllByRole('button')
    expect(buttons.filter((button) => !button.hasAttribute('aria-expanded'))).toEqual([])
    expect(screen.queryByTestId('pool-add')).toBeNull()
  })

  it('keep their buttons without contact, and say why they do nothing', async () => {
    const { backend } = await open('/pools', withPools(aPool(0), aPool(1)))
    act(() => backend.setConnection({ kind: 'lost', since: NOW, retryAt: NOW + 1000, reason: 'gone' }))

    await press(await screen.findByTestId('pool-switch-1'))

    expect(screen.queryByTestId('pool-switch')).toBeNull()
    expect(screen.getByTestId('pool-switch-1').textContent).toContain('No contact')
  })
})

describe('a link to a new pool', () => {
  const link = (url: string): string => `/pools/add?url=${encodeURIComponent(url)}`
  const field = () => screen.getByTestId('pool-url') as HTMLInputElement

  it('fills in the form and saves nothing by itself', async () => {
    const { backend } = await open(link('stratum+tls://me.rig@new.example:1'), withPools(aPool(0)))
    backend.answer('miner.poolAdd', () => KEPT)

    await screen.findByTestId('pool-add')
    expect(field().value).toBe('stratum+tls://me.rig@new.example:1')
    expect(screen.getByTestId('pool-proposed').textContent).toContain('Check it before you add it')
    expect(callsOf(backend, 'miner.poolAdd')).toEqual([])
    expect(callsOf(backend, 'miner.poolTest')).toEqual([])

    await press(screen.getByTestId('pool-add-submit'))
    expect(callsOf(backend, 'miner.poolAdd')).toEqual([
      { name: 'miner.poolAdd', params: { url: 'stratum+tls://me.rig@new.example:1' } },
    ])
    expect(screen.queryByTestId('pool-proposed')).toBeNull()
  })

  it('shows markup as plain text', async () => {
    const text = 'http://x/<img/src=x>'
    await open(link(text), withPools(aPool(0)))

    await screen.findByTestId('pool-add')
    expect(field().value).toBe(text)
    expect(document.querySelector('img')).toBeNull()
  })

  it('is replaced by a later one', async () => {
    await open(link('http://one.example:1'), withPools(aPool(0)))
    await screen.findByTestId('pool-add')

    await act(async () => {
      window.location.hash = `#${link('http://two.example:1')}`
      window.dispatchEvent(new HashChangeEvent('hashchange'))
    })

    expect(field().value).toBe('http://two.example:1')
  })

  it('that is too long opens no form', async () => {
    await open(link('a'.repeat(1_025)), withPools(aPool(0)))

    expect(screen.queryByTestId('pool-add')).toBeNull()
  })
})

import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import { parsePoolUrl } from '../../../../config/values/pool-url'
import { NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aPool, KEPT, withPools } from '../../testing/scripted-pools'
import { splitPool, wholePool } from './PoolFields'
// Preloaded, so that the timeout of a query doesn't include it; the application loads them on their first visit.
import './Pools'

afterEach(cleanup)

const press = (element: HTMLElement) => act(async () => void fireEvent.click(element))
const callsOf = (backend: ScriptedBackend, name: string) => backend.calls.filter((call) => call.name === name)

describe('a pool in the list', () => {
  it('shows its latency, accepted shares, since when it is used and why', async () => {
    const lastSwitch = {
      at: NOW - 60_000,
      cause: 'failed',
      from: 'pool1.example:4444',
      reason: 'no answer\u202e',
    } as const
    await open('/pools', withPools(aPool(0, { lastSwitch }), aPool(1)))

    expect((await screen.findByTestId('pool-latency-0')).textContent).toBe('34\u00a0ms')
    expect(screen.getByTestId('pool-row-0').textContent).toContain('95% below 1.2\u00a0s')
    expect(screen.getByTestId('pool-difficulty-0').textContent).toBe('4.29\u00a0G')
    expect(screen.getByTestId('pool-shares-0').textContent).toBe('Accepted8123 rejected, 1 unanswered')
    expect(screen.getByTestId('pool-since-0').textContent).toBe('Connected for 1\u00a0h 2\u00a0min')
    expect(screen.getByTestId('pool-last-switch-0').textContent).toContain('pool1.example:4444 failed (no answer')
    expect(screen.getByTestId('pool-last-switch-0').textContent).toContain('U+202E')
    expect(screen.queryByTestId('pool-since-1')).toBeNull()
    expect(screen.queryByTestId('pool-difficulty-1')).toBeNull()
  })

  it('is tested as is, with the password that nobody here sees', async () => {
    const url = 'stratum+tcp://me:***@pool0.example:4444'
    const { backend } = await open('/pools', withPools(aPool(0, { url })))

    await press(await screen.findByRole('button', { name: 'Test pool0.example:4444' }))

    expect(callsOf(backend, 'miner.poolTest')).toEqual([{ name: 'miner.poolTest', params: { url: '', index: 0 } }])
  })

  it('that was removed comes back with one press within ten seconds', async () => {
    const { backend, pass } = await open('/pools', withPools(aPool(0), aPool(1)))
    backend.answer('miner.poolRemove', () => ({ ...KEPT, undo: 7 })).answer('miner.poolRestore', () => KEPT)

    await press(await screen.findByTestId('pool-remove-1'))
    expect(screen.getByTestId('pool-remove').textContent).toContain('You can undo this for 10 seconds')
    await press(screen.getByTestId('pool-remove-confirm'))
    await pass(9_000)
    await press(screen.getByTestId('pool-undo'))

    expect(callsOf(backend, 'miner.poolRestore')).toEqual([{ name: 'miner.poolRestore', params: { undo: 7 } }])
    expect(screen.getByTestId('pool-said').textContent).toContain('Restored pool1.example:4444')
    expect(screen.queryByTestId('pool-undo')).toBeNull()
  })

  it('that was removed stays away without an undo', async () => {
    const { backend, pass } = await open('/pools', withPools(aPool(0), aPool(1)))
    backend.answer('miner.poolRemove', () => ({ ...KEPT, undo: 7 }))
    await press(await screen.findByTestId('pool-remove-1'))
    await press(screen.getByTestId('pool-remove-confirm'))
    expect(screen.getByTestId('pool-removed').textContent).toContain('Removed pool1.example:4444')

    await pass(10_000)

    expect(screen.queryByTestId('pool-removed')).toBeNull()
    expect(callsOf(backend, 'miner.poolRestore')).toEqual([])
  })

  it('says why it could not be put back', async () => {
    const { backend } = await open('/pools', withPools(aPool(0), aPool(1)))
    backend.answer('miner.poolRemove', () => ({ ...KEPT, undo: 7 }))
    await press(await screen.findByTestId('pool-remove-1'))
    await press(screen.getByTestId('pool-remove-confirm'))

    await press(screen.getByTestId('pool-undo'))

    expect(screen.getByRole('alert').textContent).toContain('Can’t restore the pool')
  })

  it('is changed in a form that has its full address, the password masked', async () => {
    const { backend } = await open('/pools', withPools(aPool(0), aPool(1)))
    const whole = 'stratum+tcp://me.rig:***@pool1.example:4444/a@b.c?diff=hashes'
    backend.answer('miner.poolAddress', () => ({ url: whole })).answer('miner.poolEdit', () => KEPT)

    await press(await screen.findByTestId('pool-edit-1'))
    const field = screen.getByTestId('pool-edit-url') as HTMLInputElement
    expect(field.value).toBe('stratum+tcp://pool1.example:4444/a@b.c?diff=hashes')
    const fields = ['user', 'worker', 'password', 'proxy'].map((name) => screen.getByTestId(`pool-edit-${name}`))
    expect(fields.map((each) => (each as HTMLInputElement).value)).toEqual(['me', 'rig', '***', ''])
    expect(screen.getByTestId('pool-parts').textContent).toContain('Logs in as me, worker rig, password unchanged')
    expect(screen.getByTestId('pool-edit').textContent).not.toContain('Saving reconnects the miner')
    fireEvent.change(screen.getByTestId('pool-edit-worker'), { target: { value: 'rig2' } })
    await press(screen.getByTestId('pool-edit-save'))

    expect(callsOf(backend, 'miner.poolEdit')).toEqual([
      { name: 'miner.poolEdit', params: { index: 1, shown: aPool(1).url, url: whole.replace('me.rig', 'me.rig2') } },
    ])
    expect(screen.queryByTestId('pool-edit')).toBeNull()
    expect(screen.getByTestId('pool-said').textContent).toContain('Changed pool 2')
  })

  it('keeps the form open with the error, and says what changing the active one does', async () => {
    const { backend } = await open('/pools', withPools(aPool(0)))
    backend
      .answer('miner.poolAddress', () => ({ url: 'stratum+tcp://me@pool0.example:4444' }))
      .answer('miner.poolEdit', () => {
        throw new WireError('CONTRACT_INVALID', { name: 'pool address', reason: 'the port is missing' })
      })

    await press(await screen.findByTestId('pool-edit-0'))
    expect(screen.getByTestId('pool-edit').textContent).toContain('Saving reconnects the miner')
    await press(screen.getByTestId('pool-edit-save'))

    expect(within(screen.getByTestId('pool-edit')).getByRole('alert').textContent).toContain('the port is missing')
  })
})

describe('an address being typed', () => {
  const type = async (text: string): Promise<HTMLElement | null> => {
    await open('/pools', withPools(aPool(0)))
    fireEvent.change(await screen.findByTestId('pool-url'), { target: { value: text } })
    return screen.queryByTestId('pool-parts')
  }

  it.each([
    ['pool.example:1', 'all'],
    ['ftp://pool.example:1', 'scheme'],
    ['stratum+tcp://me%zz@pool.example:1', 'login'],
    ['stratum+tcp://me@', 'host'],
    ['stratum+tcp://me@:1', 'host'],
    ['stratum+tcp://me@pool.example', 'port'],
    ['stratum+tcp://me@pool.example:70000', 'port'],
    ['stratum+tcp://me@pool.example:1?x=1', 'switch'],
  ])('%s is wrong in its part %s', async (text, part) => {
    const shown = await type(text)

    expect(shown?.dataset).toMatchObject({ state: 'wrong', part })
  })

  it('is split into parts, with a warning if the connection is unencrypted', async () => {
    const shown = await type('stratum2+tcp://me.rig:secret@pool.example:1/x')

    expect(shown?.dataset.state).toBe('ok')
    expect(shown?.textContent).toBe(
      'Logs in as me, worker rig, password setProtocolnicehashHostpool.examplePort1Path/xEncryptionNot encrypted',
    )
  })
})

it.each([
  'stratum+tcp://me.rig:***@pool.example:4444/a@b.c?diff=hashes',
  `stratum+tls://0x${'52908400098527886E0F7030069857D2E4169EE7'}.rig1:p%40ss@[::1]:1?proxy=socks5://u:***@h:9050&verify=0`,
  'stratum://`a.b`.rig@pool.example:1',
  'stratum+tcp://pool.example:4444',
  'getwork://me:pw@node.example/path?x=1',
  'nonsense',
  '',
])('the fields of %s say the same as the address', (text) => {
  const { text: whole, fault } = wholePool(splitPool(text))
  const parts = (address: string) => {
    const outcome = parsePoolUrl(address)
    if (!('url' in outcome)) return outcome
    const { password, proxy, warnings: _warnings, ...url } = outcome.url
    return [url, password?.reveal(), proxy?.host, proxy?.login?.password.reveal()]
  }

  expect(fault).toBe('')
  expect(parts(whole)).toEqual(parts(text))
})

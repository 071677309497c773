// A render failure stays where it happened: in its card, its screen, its line; and never leaves an empty page.
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { FunctionComponent } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Boundary, IsWholeContext } from '../components/faults/Boundary'
import { BrokenPanel, Card } from '../components/layout/Card'
import { lazyPart, PartUnavailableError } from '../components/lazy-part'
import { english } from '../i18n/english'
import { LanguageProvider } from '../i18n/text'
import { open } from '../testing/open-app'
import { stage } from '../testing/render-app'
import type { ScriptedBackend } from '../testing/scripted'
import { aPool, withPools } from '../testing/scripted-pools'
import { aRig, someRigs } from '../testing/scripted-rigs'
import { BrokenPage } from '../widgets/faults/Broken'
import { App } from './App'

/** Reading a text that begins with one of these throws: every screen has some that no other has. */
const fault: { begin: string | null } = { begin: null }
const catalogue = new Proxy(english, {
  get(texts, key) {
    if (fault.begin !== null && String(key).startsWith(fault.begin)) throw new Error(`${String(key)} is broken`)
    return Reflect.get(texts, key)
  },
})

const ADDRESS = `0x${'52'.repeat(20)}`
const HASH = `0x${'ab'.repeat(32)}`

/** One route for each screen and tab, and the texts that only it has. */
const routes = [
  ['/', 'ui.overview.'],
  ['/gpus', 'ui.gpus.'],
  ['/gpus/0', 'ui.gpus.'],
  ['/pools', 'ui.pools.'],
  ['/rigs', 'ui.rigs.'],
  ['/rigs/cellar', 'ui.rigs.'],
  ['/node', 'ui.node.'],
  ['/node/peers', 'ui.node.'],
  ['/node/mempool', 'ui.node.'],
  ['/node/blocks', 'ui.node.'],
  ['/node/rpc', 'ui.node.'],
  ['/node/block/1', 'ui.node.'],
  [`/node/tx/${HASH}`, 'ui.node.'],
  [`/node/address/${ADDRESS}`, 'ui.node.'],
  ['/accounts', 'ui.accounts.'],
  [`/accounts/${ADDRESS}`, 'ui.accounts.'],
  ['/accounts/rules', 'ui.rules.'],
  ['/activity', 'ui.activity.'],
  ['/activity/audit', 'ui.activity.'],
  ['/activity/miner', 'ui.activity.'],
  ['/settings/general', 'ui.settings.'],
  ['/settings/node', 'ui.settings.'],
  ['/welcome', 'ui.welcome.'],
] as const

/** What replaces the screen, or some of its cards. */
const broken = () => screen.queryAllByTestId(/^broken-(screen|panel)$/)

/** Also pools, rigs and an account. */
function fillAll(backend: ScriptedBackend): void {
  withPools(aPool(0))(backend)
  const accounts = [{ address: ADDRESS, file: 'UTC--52', files: 1 }]
  backend.emit('signer.accounts', { accounts, problems: [], keystore: '/keys', takenAt: 0 })
  backend.emit('miner.rigs', someRigs([aRig('cellar')]))
}

const go = (path: string) =>
  act(async () => {
    window.location.hash = `#${path}`
    window.dispatchEvent(new HashChangeEvent('hashchange'))
  })

beforeEach(() => {
  fault.begin = null
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.stubGlobal('scrollTo', () => undefined)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('a screen that fails', () => {
  it.each(routes)('%s keeps the frame, names the reason and opens again on Retry', async (path, begin) => {
    fault.begin = begin
    await open(path, fillAll, { catalogue })

    await waitFor(() => expect(broken()[0]?.textContent).toMatch(/is broken/))
    expect(screen.getByTestId('network-badge')).toBeTruthy()

    fault.begin = null
    await waitFor(() => {
      for (const place of broken()) fireEvent.click(within(place).getByRole('button', { name: 'Retry' }))
      expect(broken().map((place) => place.textContent)).toEqual([])
    })
    expect(screen.getByTestId('nav-overview')).toBeTruthy()
  })

  it("doesn't block another screen", async () => {
    fault.begin = 'ui.pools.'
    await open('/pools', fillAll, { catalogue })
    await waitFor(() => expect(broken()).not.toEqual([]))

    await go('/node')

    expect(await screen.findByTestId('sync-steps')).toBeTruthy()
    expect(broken()).toEqual([])
  })

  it('in an approval says that nothing was signed, and shows no part of it', async () => {
    fault.begin = 'ui.approval.'
    await open('/accounts/approvals', fillAll, { catalogue })

    expect((await screen.findByTestId('broken-approval')).textContent).toContain('Nothing was signed')
    expect(screen.queryByTestId('approval-approve')).toBeNull()
  })
})

const Thrower = ({ error }: { readonly error: Error }) => {
  throw error
}

describe('a card that fails', () => {
  it('leaves its neighbors', async () => {
    await stage(
      <>
        <Card title="One">
          <Thrower error={new Error('no figure')} />
        </Card>
        <Card title="Two">well</Card>
      </>,
    )

    expect(screen.getByTestId('broken-panel').textContent).toContain('no figure')
    expect(screen.getByText('well')).toBeTruthy()
  })

  it('replaces the whole approval: a missing part may be what matters', async () => {
    await stage(
      <Boundary isOutermost fallback={() => <p>all gone</p>}>
        <IsWholeContext.Provider value={true}>
          <Card title="One">
            <Thrower error={new Error('no figure')} />
          </Card>
          <button type="button">Approve</button>
        </IsWholeContext.Provider>
      </Boundary>,
    )

    expect(screen.getByText('all gone')).toBeTruthy()
    expect(screen.queryByText('Approve')).toBeNull()
  })
})

describe("a part that can't be fetched", () => {
  it('throws its own error, and is fetched again on Retry', async () => {
    const answers: (() => Promise<FunctionComponent>)[] = [
      () => Promise.reject(new Error('Failed to fetch')),
      () => Promise.resolve(() => <p>here</p>),
    ]
    const asked: number[] = []
    const Part = lazyPart(() => {
      asked.push(asked.length)
      return (answers[asked.length - 1] as () => Promise<FunctionComponent>)()
    })
    const faults: Error[] = []
    await stage(
      <Boundary
        fallback={({ error, retry }) => {
          faults.push(error)
          return (
            <button type="button" onClick={retry}>
              Retry
            </button>
          )
        }}
      >
        <Part />
      </Boundary>,
    )

    const button = await screen.findByRole('button', { name: 'Retry' })
    expect(faults[0]).toBeInstanceOf(PartUnavailableError)
    expect(asked).toHaveLength(1)
    fireEvent.click(button)

    expect(await screen.findByText('here')).toBeTruthy()
    expect(asked).toHaveLength(2)
  })
})

describe('a page that fails entirely', () => {
  it('still has words and a way on, using only texts', () => {
    render(
      <LanguageProvider locale="en">
        <Boundary fallback={(found) => <BrokenPage {...found} />}>
          <App />
        </Boundary>
      </LanguageProvider>,
    )

    expect(screen.getByTestId('broken-page').textContent).toContain('can’t be displayed')
    expect(screen.getByRole('button', { name: 'Reload page' })).toBeTruthy()
  })
})

describe('a panel that fails', () => {
  it('shows its reason in words', async () => {
    await stage(<BrokenPanel error={new Error('why')} retry={() => undefined} />)

    expect(screen.getByText('why')).toBeTruthy()
  })
})

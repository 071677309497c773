// Tokens and view-only links: shown once, ended on purpose, hidden from read-only users.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { OptionView } from '../../../../../contract/options'
import { fill, NOW, open } from '../../../testing/open-app'
import type { ScriptedBackend } from '../../../testing/scripted'
import { anInfo } from '../../../testing/scripted-values'
import { linkOf, linkOrigins } from './ViewLinks'
import '../Settings'

afterEach(cleanup)

const HOUR_MS = 3_600_000
const press = (element: HTMLElement) => act(async () => void fireEvent.click(element))

function token(change: Partial<OptionView> = {}): OptionView {
  return {
    key: 'api.token',
    flag: 'api-token',
    fileKey: 'api.token',
    kind: 'secret',
    help: '',
    expected: '',
    unit: null,
    choices: null,
    range: null,
    applies: 'service',
    danger: null,
    value: '***',
    defaultValue: null,
    source: { kind: 'file', name: 'f:1' },
    inFile: '***',
    locked: '',
    ...change,
  }
}

const link = { id: 'ab', label: 'Anna', hides: true, createdAt: NOW, expiresAt: NOW + HOUR_MS }

const offered =
  (change: { readonly obstacle?: 'open' | 'off'; readonly token?: OptionView } = {}) =>
  (backend: ScriptedBackend): void => {
    fill(backend)
    const options = [change.token ?? token()]
    backend
      .answer('app.info', () => anInfo({ endpoints: { api: '0.0.0.0:3333', rpc: null, signer: null } }))
      .answer('app.options', () => ({ file: '/f', sections: [{ name: 'api', title: 'Dashboard and API', options }] }))
      .answer('app.place', () => ({ freeBytes: 1, addresses: ['192.0.2.7'], isNetworkDrive: false }))
      .answer('app.viewLinks', () => ({
        obstacle: change.obstacle ?? '',
        isLocalOnly: false,
        links: [link],
        watching: [{ id: 'ab', count: 2 }],
      }))
      .answer('app.viewLinkCreate', () => ({ link, token: 'a+b' }))
      .answer('app.viewLinkRevoke', () => ({}))
      .answer('app.newToken', () => ({ token: 'fresh-token' }))
      .answer('app.restart', () => ({}))
  }

const asked = (backend: ScriptedBackend, wanted: string) =>
  backend.calls.filter(({ name }) => name === wanted).map(({ params }) => params)

describe('a view link', () => {
  it('is created with its time and what it hides, and shown once with its code', async () => {
    const { backend } = await open('/settings/api', offered())

    await press(await screen.findByTestId('link-new'))
    fireEvent.change(screen.getByTestId('link-label'), { target: { value: 'Anna' } })
    fireEvent.click(screen.getByRole('radio', { name: '1 hour' }))
    await press(screen.getByTestId('link-make'))

    expect(asked(backend, 'app.viewLinkCreate')).toEqual([{ label: 'Anna', lifetime: 'hour', hides: true }])
    const shown = screen.getByTestId<HTMLInputElement>('link-text')
    expect(shown.value).toBe('http://192.0.2.7:3333/#token=a%2Bb')
    expect(screen.getByTestId('qr-code')).toBeTruthy()
    await press(screen.getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
    expect(document.body.innerHTML).not.toContain('a%2Bb')
  })

  it('is listed with its end and current visitors, and ended after a confirmation', async () => {
    const { backend } = await open('/settings/api', offered())
    const row = await screen.findByTestId('link-ab')

    expect(row.textContent).toMatch(/Anna.*Expires in 1.h.*hides names.*2 viewing now/)
    await press(within(row).getByRole('button', { name: 'Revoke Anna' }))
    expect(asked(backend, 'app.viewLinkRevoke')).toEqual([])
    await press(screen.getByTestId('link-end-dialog-confirm'))

    expect(asked(backend, 'app.viewLinkRevoke')).toEqual([{ id: 'ab' }])
  })

  it.each([
    ['open', 'Create a token first'],
    ['off', 'Headframe isn’t listening'],
  ] as const)("can't be created if the address is %s, which is explained", async (obstacle, words) => {
    await open('/settings/api', offered({ obstacle }))

    expect((await screen.findByTestId('view-links')).textContent).toContain(words)
    expect(screen.queryByTestId('link-new')).toBeNull()
  })

  it("isn't listed for read-only users", async () => {
    const { backend } = await open('/settings/api', (to) => {
      offered()(to)
      to.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
    })

    expect(await screen.findByTestId('token-card')).toBeTruthy()
    expect([screen.queryByTestId('view-links'), screen.queryByTestId('token-new')]).toEqual([null, null])
    expect(asked(backend, 'app.viewLinks')).toEqual([])
  })
})

describe('the token', () => {
  it('is replaced after a confirmation, shown once, and valid after a restart', async () => {
    const { backend } = await open('/settings/api', offered())

    await press(await screen.findByTestId('token-new'))
    expect(screen.getByTestId('token-dialog').textContent).toContain('the old token stops working')
    await press(screen.getByTestId('token-dialog-confirm'))

    expect(screen.getByTestId<HTMLInputElement>('token-text').value).toBe('fresh-token')
    await press(screen.getByTestId('token-apply'))
    await press(screen.getByTestId('restart-dialog-confirm'))
    expect(asked(backend, 'app.restart')).toHaveLength(1)
  })

  it("that the command line set is named, and can't be replaced here", async () => {
    const locked = token({ locked: 'command line', source: { kind: 'command line', name: '--api-token-file' } })
    await open('/settings/api', offered({ token: locked }))

    expect((await screen.findByTestId('token-card')).textContent).toContain('Set by --api-token-file')
    expect(screen.queryByTestId('token-new')).toBeNull()
  })
})

describe('where a link points', () => {
  const page = (origin: string) => ({ protocol: `${origin.split(':')[0]}:`, origin })
  const place = { addresses: ['192.0.2.7', '10.0.0.2'] }

  it.each([
    [
      'the home network',
      '0.0.0.0:3333',
      'http://127.0.0.1:3333',
      ['http://192.0.2.7:3333', 'http://10.0.0.2:3333', 'http://127.0.0.1:3333'],
    ],
    [
      'where the page came from',
      '127.0.0.1:3333',
      'https://rig.example',
      ['https://rig.example', 'http://127.0.0.1:3333'],
    ],
    ['the one address', '192.0.2.7:3333', 'file://x', ['http://192.0.2.7:3333']],
  ])('is %s', (_, api, origin, expected) => {
    expect(linkOrigins({ api, place, page: page(origin) })).toEqual(expected)
  })

  it('carries the token in the fragment only', () => {
    expect(new URL(linkOf('http://a.example', 'x y/#')).hash).toBe('#token=x%20y%2F%23')
    expect(new URL(linkOf('http://a.example', 'x')).search).toBe('')
  })
})

import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { approvedChangeHash, changeText } from '../../../../base/approvals'
import { shortHex, spelledAddress } from '../../format/bytes-text'
import german from '../../i18n/texts/de.json'
import { lockedRewards, pace } from '../../state/earnings/rewards'
import { callsOf, change, input, open, prepared, press, READ_CONTROL } from '../../testing/open-accounts'
import { NOW } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aBalance, aBlock, aHead, anInfo, OTHER_ADDRESS, OWN_ADDRESS } from '../../testing/scripted-values'
import { pageKeys } from '../../testing/show-approval'

afterEach(cleanup)

const draft = { nonce: 4, gas: '21000', gasPrice: '1000000000', prices: [], within: null, problem: '' }

describe('a key worker that is not confined', () => {
  it('is named with its reason, and one that is confined is not', async () => {
    const { backend } = await open('/accounts', prepared('missing'))
    expect(screen.queryByTestId('unconfined')).toBeNull()

    act(() => backend.emit('app.status', { services: [], unconfined: 'no filter here', takenAt: NOW }))

    expect(screen.getByTestId('unconfined').textContent).toContain('no filter here')
  })
})

describe('an account', () => {
  const path = `/accounts/${OWN_ADDRESS}`

  it('sends by request: the exact amount, the fee in advance, and nothing by itself', async () => {
    const { backend } = await open(
      path,
      prepared('missing', (it) => it.answer('signer.draft', () => draft).answer('signer.send', () => ({ id: 's' }))),
    )
    change('send-to', OTHER_ADDRESS)
    change('send-amount', '0.000000000000000001')
    await press('send-prepare')
    const before = callsOf(backend, 'signer.send').length
    expect(screen.getByTestId('send-total').dataset.value).toBe(String(21_000n * 10n ** 9n + 1n))
    await press('send-ask')

    expect(before).toBe(0)
    expect(callsOf(backend, 'signer.send')[0]?.params).toEqual({
      from: OWN_ADDRESS,
      to: OTHER_ADDRESS,
      value: '1',
      data: '0x',
      nonce: 4,
      gas: '21000',
      gasPrice: '1000000000',
    })
  })

  it.each([
    ['', '1', 'Enter the address.', ''],
    ['0x1', '1', 'Fix the address.', 'Enter an address: 0x and 40 hex digits.'],
    ['0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '1', 'Fix the address.', 'This address has a typo'],
    [OTHER_ADDRESS, '', 'Enter the amount.', ''],
    [OTHER_ADDRESS, '1.000', 'Fix the amount.', '1 or 1000? Write one of them.'],
    [OTHER_ADDRESS, '1,000', 'Fix the amount.', '1 or 1000? Write one of them.'],
    [OTHER_ADDRESS, '1.234,5', 'Fix the amount.', 'Enter a number like 1.5'],
  ])('names the field that has to change: to %j, amount %j', async (to, amount, missing, fault) => {
    const { backend } = await open(path, prepared('missing'))
    if (to !== '') change('send-to', to)
    if (amount !== '') change('send-amount', amount)
    await press('send-prepare')

    expect(screen.getByTestId('send-prepare').title).toBe(missing)
    expect(screen.getByTestId('send-form').textContent).toContain(fault)
    expect(callsOf(backend, 'signer.draft')).toEqual([])
  })

  it("says what is missing instead of the node's words, and moves no field while one is typed", async () => {
    const problem = 'err: insufficient funds for gas * price + value: have 1 want 2'
    await open(
      path,
      prepared('missing', (it) =>
        it
          .answer('signer.draft', () => ({ ...draft, problem }))
          .emit('node.balances', { asOf: 1, accounts: [aBalance()], takenAt: 0 }),
      ),
    )
    change('send-to', OTHER_ADDRESS)
    const fields = [...screen.getByTestId('send-form').querySelectorAll('input')].map(({ dataset }) => dataset.testid)
    change('send-amount', '2000000')
    await press('send-prepare')

    expect(fields).toEqual(['send-to', 'send-amount', 'send-save-as'])
    expect(screen.getByTestId('send-form').textContent).not.toContain('err:')
    expect(screen.getByTestId('send-form').textContent).toContain('It costs up to')
  })

  it('says that nobody knows how long the price waits, or offers the prices by their blocks', async () => {
    const answers = [
      { ...draft, prices: [{ blocks: 1, gasPrice: null }] },
      { ...draft, within: 3, prices: [1, 3].map((blocks) => ({ blocks, gasPrice: String(10 ** 10 / blocks / 10) })) },
    ]
    const { backend } = await open(
      path,
      prepared('missing', (it) =>
        it.answer('signer.draft', () => answers.shift() ?? draft).answer('signer.send', () => ({ id: 's' })),
      ),
    )
    change('send-to', OTHER_ADDRESS)
    change('send-amount', '1')
    await press('send-prepare')
    expect(screen.getByTestId('send-recent-price').textContent).toContain('too few transactions')
    expect(screen.queryByTestId('send-within')).toBeNull()

    change('send-amount', '2')
    await press('send-prepare')
    expect(screen.queryByTestId('send-recent-price')).toBeNull()
    fireEvent.click(screen.getByLabelText('Within 1 block'))
    await press('send-ask')

    expect(callsOf(backend, 'signer.send')[0]?.params).toMatchObject({ gasPrice: '1000000000' })
  })

  it('saves a new address under a name before it asks, and offers it the next time', async () => {
    const { backend } = await open(
      path,
      prepared('missing', (it) =>
        it
          .answer('signer.draft', () => draft)
          .answer('signer.send', () => ({ id: 's' }))
          .answer('signer.watch', () => ({})),
      ),
    )
    change('send-to', OTHER_ADDRESS)
    change('send-save-as', ' Exchange ')
    change('send-amount', '1')
    await press('send-prepare')
    await press('send-ask')

    expect(callsOf(backend, 'signer.watch').map(({ params }) => params)).toEqual([
      { address: OTHER_ADDRESS, label: 'Exchange' },
    ])
    const names = backend.calls.map(({ name }) => name)
    expect(names.indexOf('signer.watch')).toBeLessThan(names.indexOf('signer.send'))
  })

  it('offers saved addresses and says whose an address is, which asks for no name', async () => {
    const { backend } = await open(path, prepared('missing'))
    const watched = [{ address: OTHER_ADDRESS, label: 'Exchange', addedAt: NOW }]
    await act(async () => void backend.emit('signer.notes', { accounts: [], watched, takenAt: NOW }))

    const offered = [...screen.getByTestId('send-saved').querySelectorAll('option')]
    expect(offered.map(({ value, textContent }) => [value, textContent])).toEqual([[OTHER_ADDRESS, 'Exchange']])
    change('send-to', OTHER_ADDRESS.toUpperCase().replace('0X', '0x'))
    expect(screen.getByTestId('send-form').textContent).toContain('Saved as Exchange')
    expect(screen.queryByTestId('send-save-as')).toBeNull()
  })

  it('sends nothing if the name can’t be saved', async () => {
    const { backend } = await open(
      path,
      prepared('missing', (it) =>
        it
          .answer('signer.draft', () => draft)
          .answer('signer.watch', () => {
            throw new Error('100 addresses are saved already')
          }),
      ),
    )
    change('send-to', OTHER_ADDRESS)
    change('send-save-as', 'Exchange')
    change('send-amount', '1')
    await press('send-prepare')
    await press('send-ask')

    expect(callsOf(backend, 'signer.send')).toEqual([])
    expect(screen.getByTestId('send-form').textContent).toContain('100 addresses are saved already')
  })

  it('asks again for fee and nonce after the amount changed', async () => {
    await open(
      path,
      prepared('missing', (it) => it.answer('signer.draft', () => draft)),
    )
    change('send-to', OTHER_ADDRESS)
    change('send-amount', '1')
    await press('send-prepare')
    change('send-amount', '2')

    expect(screen.queryByTestId('send-ask')).toBeNull()
  })

  it('shows the outcome of a send', async () => {
    const { backend } = await open(path, prepared('missing'))
    const send = { id: 's', from: OWN_ADDRESS, to: OTHER_ADDRESS, value: '1', hash: null, at: NOW }
    await act(async () => {
      backend.emit('signer.sends', { sends: [{ ...send, state: 'failed', reason: 'nonce too low' }], takenAt: NOW })
    })

    expect(screen.getByTestId('send-row').dataset.state).toBe('failed')
    expect(screen.getByTestId('send-row').textContent).toContain('nonce too low')
  })

  it('searches transactions again when a block included one of its own', async () => {
    const { backend } = await open(path, prepared('missing'))
    const asked = () => callsOf(backend, 'node.addressHistory').length
    const balance = (nonce: number) =>
      act(async () => {
        backend.emit('node.balances', { asOf: 43, accounts: [aBalance({ nonce })], takenAt: NOW })
      })
    const before = asked()
    await balance(3)
    expect(asked()).toBe(before)

    await balance(4)

    expect(asked()).toBe(before + 1)
  })

  it('reads no audit log and offers no password without the right to decide', async () => {
    const { backend } = await open(
      path,
      prepared('open', (it) => it.answer('app.info', () => anInfo({ access: READ_CONTROL }))),
    )

    expect(callsOf(backend, 'signer.audit')).toEqual([])
    expect(screen.queryByTestId('change-password')).toBeNull()
  })

  it("names the log's entries in the reader's language, and one that it doesn't know as it is", async () => {
    const row = { kind: '', summary: '', transactionHash: null, time: NOW, hash: '75d4f360' }
    const rows = [
      { ...row, seq: 1, type: 'fromALaterRelease', who: 'someone' },
      { ...row, seq: 0, type: 'created', who: OWN_ADDRESS },
    ]
    await open(
      path,
      prepared('open', (it) => it.answer('signer.audit', () => ({ rows }))),
      { catalogue: german },
    )
    const [later, created] = screen.getAllByTestId('audit-row')

    expect(later?.textContent).toContain('fromALaterReleasesomeone')
    expect(created?.textContent).toContain(`Angelegt${shortHex(spelledAddress(OWN_ADDRESS))}`)
  })

  it("is rejected if the keystore doesn't have it", async () => {
    await open(`/accounts/${OTHER_ADDRESS}`, prepared('missing'))

    expect(screen.queryByTestId('send-form')).toBeNull()
  })
})

describe('maturing rewards', () => {
  const rewards = (head: number) =>
    lockedRewards([aBlock(42), aBlock(41, { miner: OTHER_ADDRESS }), aBlock(33), aBlock(32)], {
      address: OWN_ADDRESS.toUpperCase().replace('0X', '0x'),
      head,
      maturity: 10,
    })

  it("are our own blocks that aren't mature yet, the next one first", () => {
    expect(rewards(42).map(({ unlockHeight, progress }) => [unlockHeight, progress])).toEqual([
      [43, 0.9],
      [52, 0],
    ])
  })

  it('end at their height', () => {
    expect(rewards(52)).toEqual([])
  })

  it('stand before lines at round sums, the highest well below the sum of all', async () => {
    const blocks = Array.from({ length: 12 }, (_, back) => aBlock(42 - back))
    await open(
      `/accounts/${OWN_ADDRESS}`,
      prepared('missing', (it) =>
        it.answer('node.blocks', () => ({ blocks })).emit('node.head', aHead({ maturityBlocks: 10 })),
      ),
    )
    const stairs = await screen.findByTestId('maturity-stairs')

    expect([...stairs.querySelectorAll('span')].map((line) => line.textContent)).toEqual(['200', '400'])
    expect(stairs.querySelector('b')?.textContent).toBe('500\u00a0LAX')
  })

  it("arrive at the pace of the last 144 blocks, which isn't shown for fewer than three", () => {
    const chain = Array.from({ length: 200 }, (_, back) => aBlock(500 - back, { time: NOW - back * 7_000 }))
    const slowBefore = chain.map((block, back) => (back > 144 ? { ...block, time: 0 } : block))

    expect(pace(slowBefore)).toEqual({ seconds: 7, blocks: 144 })
    expect(pace(chain.slice(0, 2))).toBeNull()
    expect(pace([])).toBeNull()
    expect(pace([aBlock(2), aBlock(1), aBlock(0, { time: 0 })])).toBeNull()
  })
})

describe('a backup', () => {
  const path = `/accounts/${OWN_ADDRESS}`
  const withNote = (backup: 'none' | 'saved' | 'done') => (backend: ScriptedBackend) =>
    backend.emit('signer.notes', {
      accounts: [{ address: OWN_ADDRESS, label: 'Payouts', backup, lastUsedAt: null }],
      watched: [],
      takenAt: NOW,
    })
  const choose = (text: string) =>
    act(async () => {
      const file = new File([text], 'copy.json')
      file.text = () => Promise.resolve(text)
      fireEvent.change(screen.getByTestId('prove-file'), { target: { files: [file] } })
    })

  it('needs the password to hand the file over, which leaves no trace in its field', async () => {
    const offered: string[] = []
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      offered.push(this.download)
    })
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined })
    const { backend } = await open(
      path,
      prepared('missing', (it) =>
        withNote('none')(it).answer('signer.exportAccount', () => ({ file: 'UTC--x', text: '{}' })),
      ),
    )
    input('export-password', 'the password')
    await press('export-submit')
    click.mockRestore()

    expect(callsOf(backend, 'signer.exportAccount')[0]?.params).toEqual({
      address: OWN_ADDRESS,
      password: btoa('the password'),
    })
    expect(offered).toEqual(['UTC--x'])
    expect(screen.getByTestId('export-password')).toHaveProperty('value', '')
  })

  it('is verified by the copy itself and its password, never without a file', async () => {
    const { backend } = await open(
      path,
      prepared('missing', (it) => withNote('saved')(it).answer('signer.confirmBackup', () => ({}))),
    )
    input('prove-password', 'the password')
    await press('prove-submit')
    const before = callsOf(backend, 'signer.confirmBackup').length
    await choose('{"address":"x"}')
    await press('prove-submit')

    expect(before).toBe(0)
    expect(callsOf(backend, 'signer.confirmBackup')[0]?.params).toEqual({
      address: OWN_ADDRESS,
      text: '{"address":"x"}',
      password: btoa('the password'),
    })
  })

  it('is marked in the list, in words', async () => {
    await open('/accounts', prepared('missing', withNote('none')))

    expect(screen.getByTestId('backup-mark').textContent).toBe('no backup')
    expect(screen.getByTestId(`label-${OWN_ADDRESS}`).textContent).toContain('Payouts')
  })
})

describe('forgetting an account', () => {
  it('needs its last six digits typed first', async () => {
    const { backend } = await open(
      `/accounts/${OWN_ADDRESS}`,
      prepared('missing', (it) => it.answer('signer.forgetAccount', () => ({ keptIn: 'forgotten/x' }))),
    )
    await act(async () => void fireEvent.click(screen.getByRole('radio', { name: 'Security' })))
    change('forget-digits', '000000')
    await press('forget-submit')
    const before = callsOf(backend, 'signer.forgetAccount').length
    change('forget-digits', OWN_ADDRESS.slice(-6).toUpperCase())
    await press('forget-submit')

    expect(before).toBe(0)
    expect(callsOf(backend, 'signer.forgetAccount')).toHaveLength(1)
    expect(window.location.hash).toBe('#/accounts')
  })
})

describe('a watched address', () => {
  const watched = (backend: ScriptedBackend) =>
    backend.emit('signer.notes', {
      accounts: [],
      watched: [{ address: OTHER_ADDRESS, label: 'Cold store', addedAt: NOW }],
      takenAt: NOW,
    })

  it('is named and added by a form, and removed again', async () => {
    const { backend } = await open(
      '/accounts',
      prepared('missing', (it) =>
        watched(it)
          .answer('signer.watch', () => ({}))
          .answer('signer.unwatch', () => ({})),
      ),
    )
    change('watch-address', '0x12')
    await press('watch-add')
    const before = callsOf(backend, 'signer.watch').length
    change('watch-address', OWN_ADDRESS)
    change('watch-label', ' Rig ')
    await press('watch-add')
    await press(`unwatch-${OTHER_ADDRESS}`)

    expect(before).toBe(0)
    expect(callsOf(backend, 'signer.watch')[0]?.params).toEqual({ address: OWN_ADDRESS, label: 'Rig' })
    expect(callsOf(backend, 'signer.unwatch')[0]?.params).toEqual({ address: OTHER_ADDRESS })
  })

  it("shows its balance and which blocks were searched, and can't sign", async () => {
    await open(`/accounts/${OTHER_ADDRESS}`, prepared('missing', watched))

    expect(screen.getByTestId('watch-only').textContent).toContain('Watch-only')
    expect(screen.getByTestId('history-range').textContent).toContain('blocks 0 to 42')
    expect(screen.queryByTestId('send-form')).toBeNull()
    expect(screen.queryByTestId('backup')).toBeNull()
  })

  it('can be neither named nor removed by read-only users', async () => {
    await open(
      '/accounts',
      prepared('missing', (it) =>
        watched(it).answer('app.info', () => anInfo({ access: { control: false, approve: false } })),
      ),
    )

    expect(screen.getByTestId(`watched-${OTHER_ADDRESS}`)).toBeTruthy()
    expect(screen.queryByTestId('watch-form')).toBeNull()
    expect(screen.queryByTestId(`unwatch-${OTHER_ADDRESS}`)).toBeNull()
  })
})

describe('callers', () => {
  const caller = {
    id: 'c1',
    transport: 'http' as const,
    host: '127.0.0.1',
    origin: '',
    userAgent: 'rig-tools/1',
    process: 'node',
    path: '/usr/bin/node',
    firstSeenAt: NOW - 60_000,
    lastSeenAt: NOW,
    allowed: 4,
    denied: 2,
    blockedUntil: null,
  }
  const withCaller =
    (change: Partial<typeof caller> | { readonly blockedUntil: number } = {}) =>
    (backend: ScriptedBackend) =>
      backend.emit('signer.callers', { callers: [{ ...caller, ...change }], takenAt: NOW })

  it('are shown with their counts, and blocked with a press', async () => {
    const { backend } = await open(
      '/accounts',
      prepared('missing', (it) => withCaller()(it).answer('signer.blockCaller', () => ({ until: NOW }))),
    )
    const row = screen.getByTestId('caller-c1').textContent
    await press('block-c1')

    expect(row).toContain('self-reported as rig-tools/1')
    expect(screen.getByTestId('caller-counts-c1').textContent).toBe('4 allowed, 2 rejected')
    expect(callsOf(backend, 'signer.blockCaller')[0]?.params).toEqual({ id: 'c1' })
  })

  it('are allowed again by Undo', async () => {
    const { backend } = await open(
      '/accounts',
      prepared('missing', (it) =>
        withCaller({ blockedUntil: NOW + 3_600_000 })(it).answer('signer.unblockCaller', () => ({})),
      ),
    )
    const state = screen.getByTestId('caller-c1').dataset.state
    await press('unblock-c1')

    expect(state).toBe('blocked')
    expect(callsOf(backend, 'signer.unblockCaller')).toHaveLength(1)
  })

  it('are hidden from everyone else', async () => {
    await open(
      '/accounts',
      prepared('missing', (it) => withCaller()(it).answer('app.info', () => anInfo({ access: READ_CONTROL }))),
    )

    expect(screen.queryByTestId('callers')).toBeNull()
  })
})

describe('what is typed for a key', () => {
  const typed = 'the password'
  const next = 'the next password'
  const address = OWN_ADDRESS.toLowerCase()
  const bareKey = '4c'.repeat(32)
  const phrase = `${'test '.repeat(11)}junk`
  const importing = (text: string) => async () => {
    change('import-text', text)
    if (text.startsWith('{')) input('import-old', typed)
    input('import-new', next)
    input('import-new-again', next)
    await press('import-submit')
  }
  const account = `/accounts/${OWN_ADDRESS}`
  const imports = { path: '/accounts', call: 'signer.importAccount', wanted: { change: 'import' }, count: 2 }
  const backup = async () => {
    input('export-password', typed)
    await press('export-submit')
  }
  const changing = async () => {
    input('change-password-old', typed)
    input('change-password-new', next)
    input('change-password-new-again', next)
    await press('change-password-submit')
  }
  it.each([
    [
      'a backup',
      { path: account, call: 'signer.exportAccount', wanted: { change: 'open', address }, count: 1 },
      backup,
    ],
    [
      'a change',
      { path: account, call: 'signer.changePassword', wanted: { change: 'password', address }, count: 2 },
      changing,
    ],
    ['an import of a file', imports, importing('{"crypto":1}')],
    ['an import of a key', imports, importing(bareKey)],
    ['an import of a phrase', imports, importing(phrase)],
    ['an import of anything else', imports, importing('xprv9s')],
  ])('leaves the page sealed for %s and nothing else', async (_what, { path, call, wanted, count }, run) => {
    const { backend } = await open(
      path,
      prepared('missing', (it) =>
        it
          .emit('signer.notes', {
            accounts: [{ address: OWN_ADDRESS, label: '', backup: 'none', lastUsedAt: null }],
            watched: [],
            takenAt: NOW,
          })
          .answer('signer.keyProcess', () => ({ receiver: `04${'1'.repeat(128)}`, reason: '' }))
          .answer('signer.importAccount', () => ({ address: OWN_ADDRESS }))
          .answer('signer.changePassword', () => ({}))
          .answer('signer.exportAccount', () => ({ file: '', text: '' })),
      ),
      { approvalKeys: pageKeys() },
    )
    await run()
    await waitFor(() => expect(callsOf(backend, call)).toHaveLength(1))

    const sent = JSON.stringify(callsOf(backend, call))
    for (const secret of [typed, next, bareKey, phrase, 'xprv9s']) {
      expect(sent).not.toContain(secret)
      expect(sent).not.toContain(btoa(secret))
    }
    expect(sent.split(approvedChangeHash(changeText(wanted)))).toHaveLength(count + 1)
    expect(sent.split('"kind":"sealed"')).toHaveLength(count + 1)
  })
})

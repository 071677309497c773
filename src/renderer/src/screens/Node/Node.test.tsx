// The chain's screens: sync state, blocks, the pool, single items, and who may use the node.
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import type { PoolRowView } from '../../../../contract/explorer'
import type { PeersView, PeerView } from '../../../../contract/network'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aBlock, aHead, aPeer, aSync, hashOf, OTHER_ADDRESS, OWN_ADDRESS } from '../../testing/scripted-values'
// Preloaded, so that the timeout of a query doesn't include it; the application loads them on their first visit.
import './Node'
import './blocks/Address'
import './blocks/Transaction'

afterEach(cleanup)

const TX = hashOf('e')
const row = {
  hash: TX,
  from: OWN_ADDRESS,
  to: OTHER_ADDRESS,
  value: '1500000000000000000',
  nonce: '3',
  gasPrice: '1000000000',
  gasUsed: 21_000,
  succeeded: true,
  blockNumber: 42,
  input: '0x',
}
const waiting = (change: Partial<PoolRowView> = {}): PoolRowView => ({
  ...row,
  gasUsed: null,
  succeeded: null,
  blockNumber: null,
  place: 'pending',
  gasLimit: 21_000,
  ...change,
})
const failing = (name: string) => () => {
  throw new WireError('CONTRACT_INVALID', { name, reason: 'broken' })
}
const search = async (text: string): Promise<void> => {
  fireEvent.change(screen.getByTestId('chain-search'), { target: { value: text } })
  await act(async () => void fireEvent.click(screen.getByTestId('chain-search-submit')))
}

/** The node compared its head with its peers', and none is ahead. */
const HEARD = {
  aheadNumber: null,
  behindSeconds: 0,
  isBehind: false,
  groups: 3,
  mayBeCutOff: false,
  split: null,
  wrongBlock: null,
}

describe('the node', () => {
  it('shows its progress in steps', async () => {
    await open('/node')

    const steps = within(await screen.findByTestId('sync-steps')).getAllByRole('listitem')
    expect(steps.map((step) => [step.dataset.state, step.textContent])).toEqual([
      ['done', 'Peersnot needed on this network'],
      ['done', 'Latest block42'],
      ['done', 'Synceddone'],
    ])
  })

  it('has its steps below the blocks once they are done, above until then', async () => {
    const { backend } = await open('/node')
    const bars = await screen.findByTestId('block-row-42')
    const isBelow = (): boolean =>
      (bars.compareDocumentPosition(screen.getByTestId('sync-steps')) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    expect(isBelow()).toBe(true)

    act(() => void backend.emit('node.head', aHead({ peers: 2 })).emit('node.sync', aSync()))

    await waitFor(() => expect(isBelow()).toBe(false))
  })

  it('counts the peers that announced an older block, also those whose latency is unknown', async () => {
    await open('/node', (backend) => {
      fill(backend)
      const head = { number: 30, hash: hashOf('1') }
      const peers = [aPeer(), aPeer({ id: 'b', latencyMs: null, head: { ...aPeer().head, ...head } })]
      backend
        .emit('node.head', aHead({ peers: 2 }))
        .emit('node.peers', { peers, bans: [], maxPeers: 50, self: null, takenAt: NOW })
    })

    const counts = within(await screen.findByTestId('peer-dots')).getAllByRole('definition')

    expect(counts.at(-1)?.textContent).toBe('1')
  })

  it('tells the age of its block by its own clock: that of the page may be hours off', async () => {
    const { pass } = await open('/node', (backend) => {
      fill(backend)
      backend.answer('app.now', () => ({ now: NOW - 7_200_000 }))
      const { head } = aHead()
      if (head !== null) backend.emit('node.head', aHead({ head: { ...head, time: NOW - 7_212_000 } }))
    })

    await screen.findByTestId('node-head')
    await pass(1_000)

    expect(screen.getByTestId('node-head').textContent).toMatch(/Latest block 1[23]\ss ago/)
  })

  it('says how likely a long silence is by chance, and that few peers may mean being cut off', async () => {
    await open('/node', (backend) => {
      fill(backend)
      backend.emit('node.head', aHead({ head: aBlock(42, { time: 0 }), peers: 1 }))
    })

    const note = await screen.findByTestId('stale-note')
    expect(note.textContent).toContain('happens <0.1% of the time')
    expect(note.textContent).toContain('cut off')
  })

  it('says nothing about a common silence', async () => {
    await open('/node', (backend) => {
      fill(backend)
      // the target is 5 s: 19 of them are just below four times that
      backend.emit('node.head', aHead({ head: aBlock(42, { time: NOW - 19_000 }), peers: 3 }))
    })

    await screen.findByTestId('sync-steps')
    expect(screen.queryByTestId('stale-note')).toBeNull()
  })

  it('says how common a silence is long before the latest block is too old', async () => {
    await open('/node', (backend) => {
      fill(backend)
      backend.emit('node.head', aHead({ head: aBlock(42, { time: NOW - 20_500 }), peers: 3 }))
      backend.emit('node.sync', aSync({ phase: 'idle', health: HEARD }))
    })

    const note = await screen.findByTestId('stale-note')
    expect(note.textContent).toContain('happens 1.7% of the time')
    expect(note.textContent).not.toContain('cut off')
    expect(screen.getByTestId('sync-state').dataset.state).toBe('synced')
  })

  it("isn't synced if no peer has its latest block", async () => {
    const peers = (change: Partial<PeerView>): PeersView => ({
      self: null,
      maxPeers: 50,
      bans: [],
      takenAt: NOW,
      peers: [aPeer({ head: { hash: hashOf('a'), number: 30, totalDifficulty: '5' }, ...change })],
    })
    const { backend } = await open('/node', (backend) => {
      fill(backend)
      backend.emit('node.head', aHead({ peers: 1 })).emit('node.peers', peers({}))
      backend.emit('node.sync', aSync({ phase: 'idle' }))
    })
    expect((await screen.findByTestId('sync-steps')).textContent).toContain('no peer has confirmed the latest block')
    expect(screen.getByTestId('sync-state').dataset.state).toBe('peers')

    const near = { hash: hashOf('a'), number: 41, totalDifficulty: '5' }
    await act(async () => void backend.emit('node.peers', peers({ head: near })))

    expect(screen.getByTestId('sync-state').dataset.state).toBe('synced')
  })

  it('shows a sync with its progress, its rate, and what it means for balances', async () => {
    await open('/node', (backend) => {
      fill(backend)
      backend.emit('node.head', aHead({ peers: 2 })).emit('node.sync', aSync({ headersDone: 400 }))
    })

    const steps = within(await screen.findByTestId('sync-steps'))
    expect(steps.getAllByRole('listitem').map((step) => [step.dataset.state, step.textContent])).toEqual([
      ['done', 'Peers2 peers'],
      ['waiting', 'Headers400 of 1,000'],
      [
        'waiting',
        'Blocks500 of 1,000 · 214 blocks/s · 12.30\u00a0Mgas/s · 1\u00a0min 20\u00a0s to 1\u00a0min 35\u00a0s left',
      ],
      ['waiting', 'Syncedwaiting'],
    ])
    expect(steps.getByRole('progressbar', { name: 'Headers' })).toHaveProperty('value', 0.4)
    expect(steps.getByText(/as of block 500/)).toBeTruthy()
    expect(screen.getByTestId('sync-state').dataset.state).toBe('blocks')
  })

  it.each([
    ['stopped', { state: 'stopped' }, null],
    ['peers', { state: 'starting' }, null],
    ['peers', { peers: 0 }, null],
    ['headers', { peers: 1 }, 'finding-ancestor'],
    ['headers', { peers: 1 }, 'headers'],
    ['blocks', { peers: 1 }, 'bodies'],
    ['synced', { peers: 1 }, 'idle'],
    ['synced', { peers: null }, 'off'],
    ['stalled', { state: 'failed' }, null],
  ] as const)('is %s with %j in phase %s', async (state, head, phase) => {
    await open('/', (backend) => {
      fill(backend)
      backend.emit('node.head', aHead(head))
      if (phase !== null) backend.emit('node.sync', aSync({ phase, health: HEARD }))
    })

    expect((await screen.findByTestId('sync-state')).dataset.state).toBe(state)
  })

  it('says that a private chain has no peers', async () => {
    await open('/node/peers')

    expect((await screen.findByTestId('node-peers')).textContent).toContain('This node has no peers')
  })

  it.each([
    ['starting', '/node'],
    ['failed', '/node/peers'],
  ] as const)('claims nothing of the network while it is %s (%s)', async (state, path) => {
    await open(path, (backend) => {
      fill(backend)
      backend.emit('node.head', aHead({ state, head: null, pending: null, queued: null }))
      backend.emit('node.peers', { self: null, maxPeers: 0, peers: [], bans: [], takenAt: NOW })
    })
    await screen.findByTestId(path === '/node' ? 'sync-steps' : 'node-peers')
    expect(document.body.textContent).not.toMatch(/not needed|on this network|0 pending|0 of 0|[Nn]o peers/)
  })

  it('is missing in a run without one', async () => {
    await open('/node/blocks', (backend) => {
      fill(backend)
      backend.emit('node.head', aHead({ state: 'stopped', head: null }))
    })

    expect(await screen.findByText('No node is running')).toBeTruthy()
  })
})

describe('the list of blocks', () => {
  it('renders only those in view, and requests older ones by page', async () => {
    const head = 5000
    const down = (from: number, count: number) =>
      Array.from({ length: Math.min(count, from + 1) }, (_, index) => aBlock(from - index))
    const { backend } = await open('/node/blocks', (backend) => {
      fill(backend)
      backend.answer('node.blocks', ({ from, count }) => ({ blocks: down(Math.min(from ?? head, head), count) }))
      backend.emit('node.head', aHead({ head: aBlock(head) }))
    })

    expect(await screen.findByTestId('block-row-5000')).toBeTruthy()
    expect(screen.getAllByRole('row').length).toBeLessThan(60)
    const region = screen.getAllByRole('region', { name: 'All blocks' }).find((one) => one.tabIndex === 0)
    if (region === undefined) throw new Error('nothing scrolls')
    expect(within(region).getByRole('table').getAttribute('aria-rowcount')).toBe('5002')

    region.scrollTop = 4000 * 40
    fireEvent.scroll(region)

    expect(await screen.findByTestId('block-row-1000')).toBeTruthy()
    expect(screen.queryByTestId('block-row-5000')).toBeNull()
    const pages = () => backend.calls.filter(({ name }) => name === 'node.blocks').map(({ params }) => params)
    await waitFor(() => expect(pages()).toContainEqual({ from: 1099, count: 100 }))
    expect(pages().length).toBeLessThan(6)
  })

  it('says why it could not be read', async () => {
    await open('/node/blocks', (backend) => {
      fill(backend)
      backend.answer('node.blocks', failing('node.blocks'))
    })

    expect((await screen.findByRole('alert')).textContent).toContain('broken')
  })
})

describe('the search over the chain', () => {
  it('goes to a block, an address, and by hash to whichever exists', async () => {
    await open('/node', (backend) => {
      fill(backend)
      backend
        .answer('node.block', () => ({ block: null }))
        .answer('node.transaction', () => ({ transaction: row }))
        .answer('node.receipt', () => ({ receipt: null }))
    })
    await screen.findByTestId('chain-search')

    await search(TX)
    expect(window.location.hash).toBe(`#/node/tx/${TX}`)
  })

  it('says what is accepted, and that a hash is unknown', async () => {
    await open('/node', (backend) => {
      fill(backend)
      backend.answer('node.block', () => ({ block: null })).answer('node.transaction', () => ({ transaction: null }))
    })
    await screen.findByTestId('chain-search')

    await search('hello')
    expect(screen.getByRole('alert').textContent).toContain('Enter a height')
    await search(hashOf('1'))
    expect(screen.getByRole('alert').textContent).toContain('No block or transaction has this hash')
  })
})

describe('waiting transactions', () => {
  const withPool = (rows: readonly PoolRowView[], found = rows.length) => {
    return (backend: ScriptedBackend): void => {
      fill(backend)
      backend.answer('node.poolPage', ({ from, count }) => ({
        pending: found,
        queued: 1,
        found,
        transactions: rows.slice(from, from + count),
      }))
    }
  }

  it('are shown by page, own ones marked', async () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      waiting({ hash: `0x${String(index).padStart(64, '0')}`, from: index === 0 ? OWN_ADDRESS : OTHER_ADDRESS }),
    )
    const { backend } = await open('/node/mempool', withPool(many))

    const rows = await screen.findAllByTestId('mempool-row')
    expect(rows).toHaveLength(50)
    expect(rows[0]?.textContent).toContain('yours')
    expect(rows[1]?.textContent).not.toContain('yours')
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Next page' })))

    expect(screen.getAllByTestId('mempool-row')).toHaveLength(10)
    expect(screen.getByTestId('mempool').textContent).toContain('51 to 60 of 60')
    expect(backend.calls.at(-1)?.params).toEqual({ from: 50, count: 50, filter: '' })
  })

  it('say what a column means, one at a time', async () => {
    await open('/node/mempool', withPool([waiting()]))
    await screen.findByTestId('mempool-row')

    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Nonce' })))
    expect((await screen.findByTestId('because')).textContent).toContain('A gap before it keeps a transaction queued.')
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Gas price' })))

    expect((await screen.findByTestId('because')).textContent).toContain('Miners take the highest prices first.')
  })

  it('are requested again when the pool changes, and searched by the node', async () => {
    const { backend } = await open('/node/mempool', withPool([]))
    expect(await screen.findByText('No pending transactions')).toBeTruthy()
    const asked = () => backend.calls.filter(({ name }) => name === 'node.poolPage').length
    const before = asked()

    await act(async () => void backend.emit('node.head', aHead({ pending: 1 })))
    expect(asked()).toBe(before + 1)
    await act(async () => {
      fireEvent.change(screen.getByRole('searchbox', { name: 'Filter by hash or address' }), {
        target: { value: '0xab' },
      })
    })

    expect(backend.calls.at(-1)?.params).toEqual({ from: 0, count: 50, filter: '0xab' })
    expect(screen.getByText('No matching transactions')).toBeTruthy()
  })

  it('that could not be read can be requested again', async () => {
    const { backend } = await open('/node/mempool', (backend) => {
      fill(backend)
      backend.answer('node.poolPage', failing('node.poolPage'))
    })
    expect((await screen.findByRole('alert')).textContent).toContain('broken')
    withPool([waiting()])(backend)

    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Retry' })))

    expect(screen.getAllByTestId('mempool-row')).toHaveLength(1)
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('a transaction', () => {
  it('shows its receipt with fee and logs, a token transfer by names', async () => {
    await open(`/node/tx/${TX}`, (backend) => {
      fill(backend)
      backend
        .answer('node.transaction', () => ({ transaction: row }))
        .answer('node.receipt', () => ({
          receipt: {
            succeeded: true,
            blockHash: hashOf('1'),
            blockNumber: 42,
            index: 0,
            gasUsed: 21_000,
            cumulativeGasUsed: 42_000,
            fee: '21000000000000',
            contractAddress: OTHER_ADDRESS,
            logs: [
              {
                index: 4,
                address: OTHER_ADDRESS,
                topics: [
                  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
                  `0x${'0'.repeat(24)}${OWN_ADDRESS.slice(2)}`,
                  `0x${'0'.repeat(24)}${OTHER_ADDRESS.slice(2)}`,
                ],
                data: `0x${'0'.repeat(62)}07`,
              },
            ],
          },
        }))
    })

    const receipt = await screen.findByTestId('receipt')
    expect(receipt.textContent).toContain('0.000021\u00a0LAX')
    expect(receipt.textContent).toContain('Contract created')
    expect(screen.getByTestId('logs').textContent).toContain('Transfer(address,address,uint256)')
    expect(screen.getByTestId('logs').textContent).toContain('amount7')
  })

  it('that waits has no receipt yet, and none is requested', async () => {
    const { backend } = await open(`/node/tx/${TX}`, (backend) => {
      fill(backend)
      backend.answer('node.transaction', () => ({ transaction: { ...waiting(), input: '0x' } }))
    })

    expect((await screen.findByTestId('receipt')).textContent).toContain('once the transaction is in a block')
    expect(backend.calls.some(({ name }) => name === 'node.receipt')).toBe(false)
  })
})

describe('an address', () => {
  const account = { asOf: 42, available: '12500000000000000001', locked: '0', nextUnlock: null, nonce: '7' }

  it.each([
    [0, 'no code'],
    [2048, 'yes, 2.00\u00a0KiB of code'],
  ])('with %s bytes of code shows balance, nonce and whether it is a contract', async (codeBytes, words) => {
    await open(`/node/address/${OTHER_ADDRESS}`, (backend) => {
      fill(backend)
      backend.answer('node.address', () => ({ account: { ...account, codeBytes } }))
    })

    expect((await screen.findByTestId('address-available')).textContent).toBe('12.500000000000000001\u00a0LAX')
    expect(screen.getByTestId('address-nonce').textContent).toBe('7')
    expect(screen.getByTestId('address-code').textContent).toContain(words)
  })

  it('is read again at each new head', async () => {
    const { backend } = await open(`/node/address/${OWN_ADDRESS}`, (backend) => {
      fill(backend)
      backend.answer('node.address', () => ({ account: { ...account, codeBytes: 0 } }))
    })
    await screen.findByTestId('address-nonce')
    const asked = () => backend.calls.filter(({ name }) => name === 'node.address').length
    const before = asked()

    await act(async () => void backend.emit('node.head', aHead({ head: aBlock(43) })))

    expect(asked()).toBe(before + 1)
    expect(screen.getByText(/Mined 2 of the last 2 blocks/)).toBeTruthy()
  })
})

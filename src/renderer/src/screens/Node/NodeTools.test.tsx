// Actions on the node: start and stop, block files, the console, traces, reorgs, the next block.
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { WireError } from '../../../../base/wire/define'
import type { BlockView } from '../../../../contract/node'
import type { BlockJobView, NodeControlView } from '../../../../contract/node-control'
import { fill, NOW, open } from '../../testing/open-app'
import type { ScriptedBackend } from '../../testing/scripted'
import { aBlock, aHead, anInfo, aPeer, hashOf, OTHER_ADDRESS, OWN_ADDRESS } from '../../testing/scripted-values'
// Preloaded; the application loads them on their first visit.
import './Node'
import './blocks/Address'
import './blocks/Block'
import './blocks/Transaction'

afterEach(cleanup)

const TX = hashOf('e')
const transaction = {
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
const view = (change: Partial<BlockView>): BlockView => ({
  ...aBlock(41),
  totalDifficulty: '100',
  stateRoot: TX,
  transactionsRoot: TX,
  receiptsRoot: TX,
  mixDigest: TX,
  nonce: '0x1',
  sealHash: TX,
  extraData: '0x',
  epoch: 0,
  epochStartTime: NOW,
  unlockHeight: 51,
  transactions: [transaction],
  isCanonical: true,
  fees: '21000000000000',
  ...change,
})

const failing =
  (name: string, reason = 'broken') =>
  () => {
    throw new WireError('CONTRACT_INVALID', { name, reason })
  }
const aNodeControl = (change: Partial<NodeControlView> = {}): NodeControlView => ({
  canNameFiles: true,
  isSwitchedOff: false,
  job: null,
  takenAt: NOW,
  ...change,
})
const withKeystore =
  (change: Partial<NodeControlView> = {}) =>
  (backend: ScriptedBackend): void => {
    fill(backend)
    backend.emit('node.control', aNodeControl(change))
  }
const readOnly = (backend: ScriptedBackend): void => {
  withKeystore({ canNameFiles: false })(backend)
  backend.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
}
const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)))
const write = (testId: string, value: string) => fireEvent.change(screen.getByTestId(testId), { target: { value } })

describe('the node as a whole', () => {
  it('is stopped after a confirmation that names what ends', async () => {
    const { backend } = await open('/node', (backend) => {
      withKeystore()(backend)
      backend.answer('node.stop', () => ({}))
    })
    await screen.findByTestId('node-stop')
    await press('node-stop')
    expect(screen.getByTestId('node-stop-dialog').textContent).toContain('Solo mining pauses')
    expect(backend.calls.some(({ name }) => name === 'node.stop')).toBe(false)

    await press('node-stop-dialog-confirm')

    expect(backend.calls).toContainEqual({ name: 'node.stop', params: {} })
  })

  it('that was stopped can be started again, and says why it could not', async () => {
    await open('/node', (backend) => {
      withKeystore({ isSwitchedOff: true })(backend)
      backend.emit('node.head', aHead({ state: 'stopped', head: null })).answer('node.start', failing('node.start'))
    })
    expect(await screen.findByText('The node is stopped')).toBeTruthy()

    await press('node-start')

    expect(screen.getByRole('alert').textContent).toContain('broken')
  })

  it('is read-only without control', async () => {
    await open('/node', readOnly)

    expect(await screen.findByTestId('node-head')).toBeTruthy()
    expect(screen.queryByTestId('node-stop')).toBeNull()
    expect(screen.queryByTestId('node-start')).toBeNull()
  })
})

describe('block files', () => {
  const job = (change: Partial<BlockJobView>): BlockJobView => ({
    kind: 'export',
    file: '/b/chain.rlp',
    state: 'running',
    blocks: 1_200,
    share: 0.4,
    startedAt: NOW,
    error: '',
    ...change,
  })

  it('are written for a range, up to the latest block if none is named', async () => {
    const { backend } = await open('/node/blocks', (backend) => {
      withKeystore()(backend)
      backend.answer('node.exportBlocks', () => ({}))
    })
    await screen.findByTestId('block-files')
    await press('export-blocks')
    expect(screen.getByRole('alert').textContent).toContain('Enter a file path')

    write('block-file', ' /b/chain.rlp.gz ')
    write('export-first', '1,000')
    await press('export-blocks')
    expect(backend.calls).toContainEqual({
      name: 'node.exportBlocks',
      params: { file: '/b/chain.rlp.gz', first: 1_000, last: null },
    })

    write('export-last', '2x')
    await press('export-blocks')
    expect(screen.getByRole('alert').textContent).toContain('whole numbers')
  })

  it('show their progress, one at a time, and can be stopped', async () => {
    const { backend } = await open('/node/blocks', (backend) => {
      withKeystore({ job: job({}) })(backend)
      backend.answer('node.cancelBlocks', () => ({}))
    })
    const shown = await screen.findByTestId('block-job')
    expect(within(shown).getByRole('progressbar')).toHaveProperty('value', 0.4)
    expect(shown.textContent).toContain('1,200 blocks so far')
    expect(screen.getByTestId('import-blocks').getAttribute('aria-disabled')).toBe('true')

    await press('job-cancel')
    expect(backend.calls).toContainEqual({ name: 'node.cancelBlocks', params: {} })

    const failed = job({ kind: 'import', state: 'failed', error: 'block 7 was not taken' })
    await act(async () => void backend.emit('node.control', aNodeControl({ job: failed })))
    expect(screen.getByTestId('block-job').textContent).toContain('block 7 was not taken')
    expect(screen.getByTestId('import-blocks').getAttribute('aria-disabled')).toBeNull()
  })

  it('are offered only at the computer', async () => {
    await open('/node/blocks', withKeystore({ canNameFiles: false }))

    expect(await screen.findByTestId('reorgs')).toBeTruthy()
    expect(screen.queryByTestId('block-files')).toBeNull()
  })
})

describe('blocks of another branch', () => {
  const left = aBlock(41, { hash: hashOf('a'), miner: OTHER_ADDRESS })

  it('are shown beside those that replaced them, and marked in the list', async () => {
    await open('/node/blocks', (backend) => {
      fill(backend)
      backend.answer('node.reorgs', () => ({
        reorgs: [{ at: NOW - 60_000, ancestor: 40, removed: [left], added: [aBlock(41), aBlock(42)] }],
      }))
    })

    const reorg = within(await screen.findByTestId('reorg'))
    expect(within(reorg.getByRole('region', { name: 'Former branch' })).getAllByRole('listitem')).toHaveLength(1)
    expect(within(reorg.getByRole('region', { name: 'New branch' })).getAllByRole('listitem')).toHaveLength(2)
    expect(await screen.findByTestId('block-fork-41')).toBeTruthy()
    expect(screen.queryByTestId('block-fork-42')).toBeNull()
  })

  it.each([
    ['can’t be read', () => Promise.reject(new Error('worker gone'))],
    ['aren’t read yet', () => new Promise<never>(() => undefined)],
  ])('are not called none while they %s', async (_name, answer) => {
    await open('/node/blocks', (backend) => {
      fill(backend)
      backend.answer('node.reorgs', answer)
    })

    const card = await screen.findByTestId('reorgs')
    expect(card.textContent).not.toContain('No reorganizations')
    expect(card.textContent?.includes('worker gone')).toBe(_name === 'can’t be read')
  })

  it('say so on their own page', async () => {
    await open(`/node/block/${left.hash}`, (backend) => {
      fill(backend)
      backend.answer('node.block', () => ({ block: view({ ...left, isCanonical: false, fees: null }) }))
    })

    const note = await screen.findByTestId('block-replaced')
    expect(within(note).getByRole('link').getAttribute('href')).toBe('#/node/block/41')
    expect(screen.getByTestId('block-reward').textContent).toBe('–')
  })

  it('leave a block of the chain with its total reward, subsidy and fees, and its target', async () => {
    await open('/node/block/41', (backend) => {
      fill(backend)
      backend.answer('node.block', () => ({ block: view({ difficulty: '65536' }) }))
    })

    expect((await screen.findByTestId('block-reward')).textContent).toBe('50.000021\u00a0LAX')
    expect(screen.getByTestId('block-fees').textContent).toBe('0.000021\u00a0LAX')
    expect(screen.getByText(`0x0001${'0'.repeat(60)}`)).toBeTruthy()
    expect(screen.queryByTestId('block-replaced')).toBeNull()
  })
})

describe('a block with many transactions', () => {
  it('shows the first ones, and more on request', async () => {
    const row = (at: number) => ({ ...transaction, hash: hashOf(String(at)) })
    const asked: number[] = []
    await open('/node/block/41', (backend) => {
      fill(backend)
      backend.answer('node.block', ({ from = 0 }) => {
        asked.push(from)
        const transactions = [row(from), row(from + 1)].slice(0, 3 - from)
        return { block: view({ transactionCount: 3, transactions }) }
      })
    })

    expect((await screen.findByTestId('block-shown')).textContent).toBe('2 of 3')
    await press('block-further')

    await waitFor(() => expect(screen.queryByTestId('block-further')).toBeNull())
    expect(asked).toEqual([0, 2])
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(links.filter((href) => href?.startsWith('#/node/tx/'))).toEqual(
      [0, 1, 2].map((at) => `#/node/tx/${row(at).hash}`),
    )
  })
})

describe('the next block', () => {
  it('is shown with its fees, beside the offered prices', async () => {
    await open('/node/mempool', (backend) => {
      fill(backend)
      backend
        .answer('node.poolPage', () => ({ pending: 3, queued: 1, found: 0, transactions: [] }))
        .answer('node.poolReport', () => ({
          prices: [
            { from: '1000000000', below: '1800000000', pending: 3, queued: 0 },
            { from: '1800000000', below: '3200000000', pending: 0, queued: 1 },
          ],
          template: {
            number: 43,
            transactions: 3,
            gasUsed: 63_000,
            gasLimit: 30_000_000,
            fees: '63000000000000',
            sizeBytes: 900,
          },
        }))
    })

    const steps = await screen.findAllByTestId('gas-step')
    expect(steps.map(({ textContent }) => textContent)).toEqual([
      '1\u00a0gwei to 1.8\u00a0gwei3',
      '1.8\u00a0gwei to 3.2\u00a0gwei0 pending, 1 queued',
    ])
    expect(screen.getByTestId('template-transactions').textContent).toBe('3')
    expect(screen.getByTestId('template-fees').textContent).toBe('0.000063\u00a0LAX')
  })
})

describe('a trace', () => {
  const withTransaction = (backend: ScriptedBackend): void => {
    fill(backend)
    backend
      .answer('node.transaction', () => ({ transaction }))
      .answer('node.receipt', () => ({ receipt: null }))
      .answer('node.cancelTrace', () => ({}))
  }
  const aCall = {
    depth: 0,
    kind: 'CALL',
    from: OWN_ADDRESS,
    to: OTHER_ADDRESS,
    value: '0',
    gasUsed: 50_000,
    selector: '0xa9059cbb',
    inputBytes: 68,
    error: '',
  }

  it('shows the calls in order, and what failed', async () => {
    const { backend } = await open(`/node/tx/${TX}`, (backend) => {
      withTransaction(backend)
      backend.answer('node.trace', () => ({
        kind: 'calls',
        calls: [aCall, { ...aCall, depth: 1, kind: 'STATICCALL', value: null, error: 'out of gas' }],
        isCut: true,
      }))
    })
    await screen.findByTestId('trace')
    expect(backend.calls.some(({ name }) => name === 'node.trace')).toBe(false)

    await press('trace-calls')

    const rows = await screen.findAllByTestId('trace-row')
    expect(rows[0]?.textContent).toContain('0xa9059cbb · 68 bytes')
    expect(rows[1]?.textContent).toContain('Depth 1:STATICCALL')
    expect(rows[1]?.textContent).toContain('out of gas')
    expect(screen.getByTestId('trace').textContent).toContain('Showing the first 1,000')
  })

  it('can be ended while it runs', async () => {
    let end: (error: Error) => void = () => undefined
    const { backend } = await open(`/node/tx/${TX}`, (backend) => {
      withTransaction(backend)
      backend.answer('node.trace', () => new Promise((_resolve, reject) => (end = reject)))
    })
    await screen.findByTestId('trace')
    await press('trace-steps')
    await press('trace-cancel')
    expect(backend.calls).toContainEqual({ name: 'node.cancelTrace', params: {} })

    await act(async () => end(new Error('the trace was cancelled')))

    expect(screen.getByRole('alert').textContent).toContain('cancelled')
    expect(screen.queryByTestId('trace-cancel')).toBeNull()
  })
})

describe('an address', () => {
  it('shows its transactions with the searched range, and goes further back', async () => {
    const older = { ...transaction, hash: hashOf('d'), blockNumber: 7 }
    const { backend } = await open(`/node/address/${OTHER_ADDRESS}`, (backend) => {
      fill(backend)
      backend
        .answer('node.address', () => ({
          account: { asOf: 42, available: '1', locked: '0', nextUnlock: null, nonce: '7', codeBytes: 3 },
        }))
        .answer('node.code', () => ({ code: '0x60006000' }))
        .answer('node.addressHistory', ({ from }) =>
          from === null
            ? { transactions: [transaction], newest: 2_000, oldest: 977 }
            : { transactions: [older], newest: from, oldest: 0 },
        )
    })
    expect((await screen.findByTestId('address-range')).textContent).toBe('blocks 977 to 2,000')

    await press('address-further')

    expect(backend.calls).toContainEqual({ name: 'node.addressHistory', params: { address: OTHER_ADDRESS, from: 976 } })
    expect(screen.getByTestId('address-range').textContent).toBe('blocks 0 to 2,000')
    expect(within(screen.getByTestId('address-history')).getAllByRole('row')).toHaveLength(3)
    expect(screen.queryByTestId('address-further')).toBeNull()
    await press('code-show')
    expect(screen.getByTestId('address-program').textContent).toContain('0x60006000')
  })
})

describe('the console', () => {
  const rpc = (backend: ScriptedBackend): void => {
    fill(backend)
    backend
      .answer('node.listeners', () => ({ listeners: [] }))
      .answer('app.logs', () => ({ lines: [], next: 0 }))
      .answer('node.rpcTraffic', () => ({
        methods: [{ method: 'eth_getBalance', total: 1_200, failed: 2, lastMinute: 30 }],
      }))
  }

  it('sends what was typed and shows the answer', async () => {
    const { backend } = await open('/node/rpc', (backend) => {
      rpc(backend)
      backend.answer('node.console', () => ({ answer: '{"jsonrpc":"2.0","id":1,"result":"0x2a"}' }))
    })
    await screen.findByTestId('console-method')
    write('console-params', '["latest"]')
    await press('console-ask')

    expect(backend.calls).toContainEqual({
      name: 'node.console',
      params: { method: 'eth_blockNumber', params: '["latest"]' },
    })
    await waitFor(() => expect(screen.getByTestId('console-answer').textContent).toContain('"result": "0x2a"'))
  })

  it('shows why the node refused, and is absent for read-only users', async () => {
    await open('/node/rpc', (backend) => {
      rpc(backend)
      backend.answer('node.console', failing('node.console', 'not asked here'))
    })
    await screen.findByTestId('console-method')
    await press('console-ask')
    expect(screen.getByTestId('console-error').textContent).toContain('not asked here')
    cleanup()

    await open('/node/rpc', (backend) => {
      rpc(backend)
      backend.answer('app.info', () => anInfo({ access: { control: false, approve: false } }))
    })
    expect((await screen.findByTestId('rpc-method')).textContent).toContain('eth_getBalance301,2002')
    expect(screen.queryByTestId('rpc-console')).toBeNull()
  })
})

describe('a peer', () => {
  it('is compared with us, and can be banned', async () => {
    const { backend } = await open('/node/peers', (backend) => {
      fill(backend)
      backend.emit('node.head', aHead({ peers: 1 })).answer('node.banPeer', () => ({}))
      const peer = aPeer({ head: { hash: hashOf('a'), number: 40, totalDifficulty: '5' } })
      backend.emit('node.peers', { self: null, maxPeers: 50, peers: [peer], bans: [], takenAt: NOW })
    })
    expect((await screen.findByTestId('peer-difference')).textContent).toBe('2 blocks below yours')
    expect(screen.getByTestId('peer-row').textContent).toContain('parallax/66')
    // The name of its program breaks after a slash, not inside a word.
    expect(screen.getByTestId('peer-row').querySelector('wbr')?.previousSibling?.textContent).toBe('Parallax/')

    await act(async () => void fireEvent.click(screen.getByText('Ban for 24 h')))

    expect(backend.calls).toContainEqual({ name: 'node.banPeer', params: { id: aPeer().id } })
  })
})

// The value of the shares compared with what the payout address received, according to our node's chain.

import { useCallback, useMemo, useRef, useState } from 'react'
import { messageOf } from '../../../../../base/errors'
import { poissonRange } from '../../../../../base/poisson'
import { DAY_MS } from '../../../../../base/time'
import { WEI_PER_MICRO } from '../../../../../base/units'
import type { BlockRowView, TransactionRowView } from '../../../../../contract/node'
import type { EarningsRowView, EarningsView } from '../../../../../contract/pools'
import { isSyncing } from '../../../../../contract/sync-state'
import { Choice } from '../../../components/forms/Choice'
import { TextField } from '../../../components/forms/TextField'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { AddressText } from '../../../components/values/HexText'
import type { Backend } from '../../../data/backend'
import { useLanguage, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useCall } from '../../../state/answers/use-answer'
import { estimate } from '../../../state/earnings/earnings'
import { useAsking, useEnvironment, useNode, useOperation, usePreference } from '../../../state/environment'
import { selectPools } from '../../../state/stores/program-store'
import { type Mark, StatePill, type Tone } from '../../../widgets/facts/StatePill'
import { ErrorState, Skeleton } from '../../../widgets/facts/States'
import { Age, AmountText } from '../../../widgets/facts/Value'
import { Why } from '../../../widgets/why/Why'
import styles from '../Pools.module.css'
import { FEW, type LastBlocks, MANY } from './use-last-blocks'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const windows = [
  { value: 'few', count: FEW },
  { value: 'many', count: MANY },
] as const
type Window = (typeof windows)[number]['value']

const looks: Readonly<Record<PayoutMarks['verdict'], readonly [Tone, Mark]>> = {
  within: ['ok', 'ok'],
  below: ['warn', 'attention'],
  above: ['info', 'attention'],
  unknown: ['neutral', 'waiting'],
}

export function Payouts({ last }: { readonly last: LastBlocks }) {
  const t = useText()
  const [chosen, setChosen] = useState<Window>('few')
  const { address, field } = usePayoutAddress()
  const hasNode = useNode((state) => state.head !== null && state.head.head !== null)
  const isBehind = useNode((state) => isSyncing(state.sync))
  const count = windows.find(({ value }) => value === chosen)?.count ?? FEW
  const blocks = useMemo(() => last.blocks?.slice(0, count) ?? null, [last.blocks, count])
  const missing = !hasNode ? 'noNode' : isBehind ? 'syncing' : address === '' ? 'noAddress' : null
  return (
    <Card
      title={t('ui.pools.payouts')}
      testId="payouts"
      aside={
        <Choice
          label={t('ui.pools.payoutWindow')}
          value={chosen}
          options={windows.map(({ value, count: size }) => ({
            value,
            label: t('ui.pools.payoutBlocks', { count: size }),
          }))}
          onChange={setChosen}
        />
      }
    >
      {field}
      {missing !== null && (
        <p data-testid="payouts-missing" data-state={missing}>
          {t(`ui.pools.payouts.${missing}`)}
        </p>
      )}
      {missing === null && last.error !== '' && (
        <ErrorState title={t('ui.node.blocksFailed')} reason={last.error} onRetry={last.ask} />
      )}
      {missing === null && last.error === '' && blocks === null && <Skeleton lines={4} />}
      {missing === null && blocks?.length === 0 && <p className={styles.soft}>{t('ui.node.noBlocks')}</p>}
      {missing === null && blocks !== null && blocks.length > 0 && (
        <Comparison key={`${address} ${chosen}`} blocks={blocks} address={address} />
      )}
      <p className={styles.note}>{t('ui.pools.payoutsText')}</p>
    </Card>
  )
}

/** The typed address, otherwise the active pool's login if it is an address, otherwise our node's coinbase. */
function usePayoutAddress() {
  const t = useText()
  const { stores } = useEnvironment()
  const typed = usePreference((state) => state.payoutAddress)
  const [text, setText] = useState(typed)
  const login = useOperation((state) => selectPools(state).find(({ active }) => active)?.user ?? '')
  const isSolo = useOperation((state) => state.pools?.kind === 'solo')
  const coinbase = useNode((state) => state.head?.coinbase ?? '')
  const found = isSolo ? coinbase : ADDRESS.test(login) ? login : ''
  const isWrong = text !== '' && !ADDRESS.test(text)
  const change = (value: string): void => {
    const next = value.trim()
    setText(next)
    if (next === '' || ADDRESS.test(next)) stores.preferences.setState({ payoutAddress: next })
  }
  const field = (
    <TextField
      label={t('ui.pools.payoutAddress')}
      value={text}
      placeholder={found}
      onChange={change}
      hint={t(found === '' ? 'ui.pools.payoutAddressNone' : 'ui.pools.payoutAddressHint')}
      error={isWrong ? t('ui.send.noAddress') : ''}
      isMono
      maxLength={42}
      data-testid="payout-address"
    />
  )
  return { address: isWrong ? '' : text === '' ? found : text, field }
}

function Comparison({ blocks, address }: { readonly blocks: readonly BlockRowView[]; readonly address: string }) {
  const { t, format } = useLanguage()
  const { clock } = useEnvironment()
  const lowest = blocks[blocks.length - 1]?.number ?? 0
  const record = useEarnings(blocks[blocks.length - 1]?.time ?? 0)
  const transfers = useTransfers(address, lowest)
  const kind = useOperation((state) => (state.pools?.kind === 'solo' ? 'solo' : 'pools'))
  const coinbases = useOperation((state) => state.poolHead?.coinbases)
  if (transfers.error !== '') return <ErrorState title={t('ui.pools.payoutsFailed')} reason={transfers.error} />
  if (record.reason !== '')
    return <ErrorState title={t('ui.money.failed')} reason={record.reason} onRetry={() => void record.retry()} />
  if (record.value === null) return <Skeleton lines={4} />
  const { transactions } = transfers
  const given = { kind, address, blocks, transactions, earnings: record.value, coinbases: coinbases ?? [] } as const
  const figures = payoutsOf({ ...given, now: clock.now() })
  if (figures === null)
    return (
      <p data-testid="payouts-missing" data-state="noRecord">
        {t('ui.pools.payouts.noRecord')}
      </p>
    )
  return (
    <>
      {!transfers.isDone && (
        <p className={styles.soft} role="status">
          {t('ui.pools.payoutsReading', {
            from: format.text('count', transfers.oldest ?? blocks[0]?.number ?? 0),
            to: format.text('count', lowest),
          })}
        </p>
      )}
      {transfers.isDone && <Verdict figures={figures} />}
      <FigureFacts figures={figures} address={address} isSolo={kind === 'solo'} isDone={transfers.isDone} />
      <Basis figures={figures} isSolo={kind === 'solo'} lowest={lowest} highest={blocks[0]?.number ?? null} />
    </>
  )
}

function Verdict({ figures: { verdict } }: { readonly figures: PayoutMarks }) {
  const t = useText()
  const [tone, mark] = looks[verdict]
  return (
    <StatePill tone={tone} mark={mark} state={verdict} testId="payout-verdict">
      {t(`ui.pools.verdict.${verdict}`)}
    </StatePill>
  )
}

interface FigureProps {
  readonly figures: PayoutMarks
  readonly address: string
  readonly isSolo: boolean
  /** False: not all blocks of the window were searched. */
  readonly isDone: boolean
}

function FigureFacts({ figures, address, isSolo, isDone }: FigureProps) {
  const { t, format } = useLanguage()
  const { band, pricedPart } = figures
  const text = (wei: bigint): string | null => (pricedPart > 0 ? String(estimate(wei)) : null)
  return (
    <Facts>
      <Fact label={t('ui.pools.payoutAddress')}>
        <AddressText address={address} form="short" href={hrefOf(`/node/address/${address}`)} />
      </Fact>
      <Fact label={t(isSolo ? 'ui.pools.expectedHashes' : 'ui.pools.expectedShares')} why={<Why of="payoutExpected" />}>
        <AmountText wei={text(figures.expected)} form="list" testId="payout-expected" />
      </Fact>
      <Fact label={t('ui.pools.expectedDay')} why={<Why of="payoutDay" />}>
        <AmountText wei={text(figures.expectedPerDay)} form="list" testId="payout-day" />
      </Fact>
      {(!isSolo || figures.transfers > 0) && (
        <Fact label={t('ui.pools.received', { count: figures.transfers })} why={<Why of="payoutReceived" />}>
          <AmountText wei={isDone ? String(figures.received) : null} form="list" testId="payout-received" />
        </Fact>
      )}
      {figures.foundBlocks > 0 && (
        <Fact label={t('ui.pools.foundBlocks', { count: figures.foundBlocks })} why={<Why of="payoutFound" />}>
          <AmountText wei={String(figures.found)} form="list" testId="payout-found" />
        </Fact>
      )}
      {figures.lastAt !== null && (
        <Fact label={t('ui.pools.lastTransfer')}>
          <Age time={figures.lastAt} />
        </Fact>
      )}
      <Fact label={t('ui.pools.payoutBand')} why={<Why of="payoutBand" />}>
        <span data-testid="payout-band">
          {band === null
            ? format.text('count', null)
            : t('ui.pools.dominanceBand', {
                low: format.lax(estimate(band.low)),
                high: format.lax(estimate(band.high)),
              })}
        </span>
      </Fact>
    </Facts>
  )
}

interface BasisProps {
  readonly figures: PayoutMarks
  readonly isSolo: boolean
  readonly lowest: number
  readonly highest: number | null
}

function Basis({ figures, isSolo, lowest, highest }: BasisProps) {
  const { t, format } = useLanguage()
  const { from, shares, mean, pricedPart } = figures
  const count = (value: number | null): string => format.text('count', value)
  const sentences = [
    t('ui.pools.basisRange', { lowest: count(lowest), highest: count(highest), from: format.moment(from) }),
    isSolo ? '' : t('ui.pools.basisShares', { shares }),
    pricedPart < 1
      ? t('ui.money.pricedPart', { percent: format.text('wholePercent', Math.floor(100 * pricedPart)) })
      : '',
    mean === null
      ? t('ui.pools.basisNoBlocks')
      : t(isSolo ? 'ui.pools.basisOwnMean' : 'ui.pools.basisBlocks', { count: Math.round(mean * 10) / 10 }),
  ]
  return (
    <p className={styles.note} data-testid="payout-basis">
      {joinSentences(sentences)}
    </p>
  )
}

/** Without a space after a Chinese full stop, which has its own. */
function joinSentences(sentences: readonly string[]): string {
  return sentences
    .filter((sentence) => sentence !== '')
    .join(' ')
    .replaceAll('\u3002 ', '\u3002')
}

const PERIOD_MS = 60_000

/** @param since UTC ms */
function useEarnings(since: number) {
  return useCall('miner.earnings', { since }, { everyMs: PERIOD_MS })
}

/** Blocks that a reorg may have replaced since they were read. */
const REREAD_BLOCKS = 12

interface Transfers {
  readonly transactions: readonly TransactionRowView[]
  /** Lowest height searched so far; null before the first answer. */
  readonly oldest: number | null
  /** Everything down to the requested height is read. */
  readonly isDone: boolean
  readonly error: string
}

interface Read {
  readonly transactions: readonly TransactionRowView[]
  readonly newest: number
  readonly oldest: number
}

const NOTHING: Transfers = { transactions: [], oldest: null, isDone: false, error: '' }

/** For one address and window per `key`. Reads only new blocks at each head. @param lowest height to read down to */
function useTransfers(address: string, lowest: number): Transfers {
  const { backend } = useEnvironment()
  const [state, setState] = useState<Transfers>(NOTHING)
  const known = useRef<Read | null>(null)
  const head = useNode((node) => node.head?.head?.hash ?? null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another head is a reason to read again
  const ask = useCallback(() => {
    const life = { isOver: false }
    const before = known.current
    const onPiece = (read: Read, isDone: boolean): boolean => {
      if (life.isOver) return false
      if (isDone) known.current = read
      if (isDone || before === null)
        setState({ transactions: read.transactions, oldest: read.oldest, isDone, error: '' })
      return true
    }
    readDown(backend, { address, lowest, known: before, onPiece }).catch((error: unknown) => {
      if (!life.isOver) setState((last) => ({ ...last, error: messageOf(error) }))
    })
    return () => {
      life.isOver = true
    }
  }, [backend, address, lowest, head])
  useAsking(ask)
  return state
}

interface Reading {
  readonly address: string
  readonly lowest: number
  /** Results of an earlier reading, down to a height that may be below `lowest`. */
  readonly known: Read | null
  /** Returns false to end the reading. */
  readonly onPiece: (read: Read, isDone: boolean) => boolean
}

async function readDown(backend: Pick<Backend, 'call'>, reading: Reading): Promise<void> {
  const { address, lowest, known, onPiece } = reading
  const bottom = known === null ? lowest : Math.max(lowest, known.newest - REREAD_BLOCKS)
  const transactions: TransactionRowView[] = []
  let newest: number | null = null
  for (let from: number | null = null; ; ) {
    const page: Awaited<ReturnType<typeof askPage>> = await askPage(backend, address, from)
    transactions.push(...page.transactions)
    newest ??= page.newest
    const { oldest } = page
    const isDone = oldest <= bottom || oldest === 0
    const older = isDone ? (known?.transactions ?? []).filter(({ blockNumber }) => (blockNumber ?? 0) < oldest) : []
    const read = {
      transactions: [...transactions, ...older],
      newest,
      oldest: isDone ? Math.min(lowest, oldest) : oldest,
    }
    if (!onPiece(read, isDone) || isDone) return
    from = oldest - 1
  }
}

function askPage(backend: Pick<Backend, 'call'>, address: string, from: number | null) {
  return backend.call('node.addressHistory', { address, from })
}

export interface PayoutInput {
  readonly kind: 'pools' | 'solo'
  /** Payout address, any case. */
  readonly address: string
  /** Blocks of the window, newest first; at least one. */
  readonly blocks: readonly BlockRowView[]
  /** Transactions of the address, at least those in the window. */
  readonly transactions: readonly TransactionRowView[]
  readonly earnings: EarningsView
  /** Addresses that the active pool's blocks are known to pay. */
  readonly coinbases: readonly string[]
  readonly now: number
}

interface PayoutMarks {
  /** UTC ms: the window's first block, or the first record if that is later. */
  readonly from: number
  /** wei */
  readonly expected: bigint
  readonly expectedPerDay: bigint
  readonly received: bigint
  readonly transfers: number
  readonly lastAt: number | null
  /** wei from blocks that paid the address directly, and the number of those blocks. */
  readonly found: bigint
  readonly foundBlocks: number
  /** Accepted shares; 0 when mining for our own node. */
  readonly shares: number
  /** 0..1: the part of the work whose value is known. */
  readonly pricedPart: number
  /** Blocks that the band is based on: the pool's, or our own expected number; null when unknown. */
  readonly mean: number | null
  /** wei: the range that holds 95% of such windows; null when unknown. */
  readonly band: { readonly low: bigint; readonly high: bigint } | null
  readonly verdict: 'within' | 'below' | 'above' | 'unknown'
}

/** Null if nothing was mined in the window, as far as the records go. */
export function payoutsOf(input: PayoutInput): PayoutMarks | null {
  const { kind, blocks, earnings, now } = input
  const rows = earnings.rows.filter(({ pool }) => (pool === '') === (kind === 'solo'))
  const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const hashes = sum((row) => row.hashes)
  const work = sum((row) => row.work)
  if (earnings.firstAt === null || (hashes === 0 && work === 0)) return null
  const from = Math.max(blocks[blocks.length - 1]?.time ?? now, earnings.firstAt)
  const within = blocks.filter(({ time }) => time >= from)
  const priced = rows.reduce((total, { expected }) => total + BigInt(expected), 0n)
  const own = kind === 'solo' ? ownExpectation(rows, within) : null
  const expected = own?.wei ?? priced
  const paid = paymentsOf(input, within)
  const mean = own === null ? poolBlocks(input, within, paid.senders) : own.mean
  const band = mean === null || mean <= 0 ? null : bandOf(expected, mean)
  const pricedPart = work === 0 || kind === 'solo' ? 1 : sum((row) => row.pricedWork) / work
  // Nobody can find more blocks than there are.
  const isAllOurs = within.length > 0 && paid.foundBlocks === within.length
  return {
    ...paid,
    from,
    expected,
    expectedPerDay: times(expected, DAY_MS / Math.max(1, now - from)),
    shares: kind === 'solo' ? 0 : sum((row) => row.shares),
    pricedPart,
    mean,
    band,
    verdict: band === null ? 'unknown' : verdictOf(paid.received + paid.found, band, { isAllOurs, pricedPart }),
  }
}

/**
 * Below what a part of the work is worth is below all of it; nothing else can be said while the rest has no price. A
 * range that begins at nothing would also hold a pool that pays nothing.
 */
function verdictOf(
  paid: bigint,
  band: NonNullable<PayoutMarks['band']>,
  { isAllOurs, pricedPart }: { readonly isAllOurs: boolean; readonly pricedPart: number },
): PayoutMarks['verdict'] {
  if (paid < band.low) return isAllOurs ? 'within' : 'below'
  if (pricedPart < 1) return 'unknown'
  if (paid > band.high) return 'above'
  return band.low > 0n || isAllOurs ? 'within' : 'unknown'
}

/**
 * When mining solo, the expectation follows from the hashes, each at the difficulty of its time. If our hashrate is the
 * whole network's, more blocks would only have raised the difficulty: there was no more to find than the chain's own
 * count.
 */
function ownExpectation(rows: readonly EarningsRowView[], blocks: readonly BlockRowView[]) {
  const due = rows.reduce((total, { expectedShares }) => total + expectedShares, 0)
  const computed = rows.reduce((total, each) => total + BigInt(each.computed), 0n)
  const mean = Math.min(due, blocks.length)
  return { mean, wei: due > mean ? times(computed, mean / due) : computed }
}

function paymentsOf({ address, transactions }: PayoutInput, blocks: readonly BlockRowView[]) {
  const times = new Map(blocks.map(({ number, time }) => [number, time]))
  const to = address.toLowerCase()
  const transfers = transactions.filter(
    (each) =>
      each.to?.toLowerCase() === to &&
      each.from.toLowerCase() !== to &&
      each.succeeded !== false &&
      each.value !== '0' &&
      each.blockNumber !== null &&
      times.has(each.blockNumber),
  )
  const found = blocks.filter(({ miner }) => miner.toLowerCase() === to)
  const at = transfers.map(({ blockNumber }) => times.get(blockNumber ?? -1) ?? 0)
  return {
    received: transfers.reduce((total, { value }) => total + BigInt(value), 0n),
    transfers: transfers.length,
    lastAt: at.length === 0 ? null : Math.max(...at),
    found: found.reduce((total, { subsidy }) => total + BigInt(subsidy), 0n),
    foundBlocks: found.length,
    senders: transfers.map(({ from }) => from.toLowerCase()),
  }
}

/** Blocks of the senders, and of coinbases seen in the pool's jobs; null if there are none. */
function poolBlocks({ coinbases }: PayoutInput, blocks: readonly BlockRowView[], senders: readonly string[]) {
  const known = new Set([...senders, ...coinbases.map((address) => address.toLowerCase())])
  const count = blocks.filter(({ miner }) => known.has(miner.toLowerCase())).length
  return count === 0 ? null : count
}

function bandOf(expected: bigint, mean: number): { readonly low: bigint; readonly high: bigint } {
  const { low, high } = poissonRange(mean)
  return { low: times(expected, low / mean), high: times(expected, high / mean) }
}

/** An estimate, so a millionth of a LAX is precise enough. */
function times(wei: bigint, factor: number): bigint {
  return BigInt(Math.round(Number(wei / WEI_PER_MICRO) * factor)) * WEI_PER_MICRO
}

// Where do my hashes go, do they arrive? The list in failover order, and how to change it.

import { Network, TriangleAlert } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { MinerStatusView } from '../../../../contract/miner'
import type { BlockRowView } from '../../../../contract/node'
import type { PoolHeadView } from '../../../../contract/pools'
import { Because, Card, Fact, Facts, WhyButton } from '../../components/layout/Card'
import { Note } from '../../components/layout/Note'
import { TableHead } from '../../components/tables/Table'
import { AddressText, ForeignText } from '../../components/values/HexText'
import { shortHex } from '../../format/bytes-text'
import { milliseconds, UNKNOWN } from '../../format/formatter'
import { useFormat, useLanguage, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useAttempt } from '../../state/answers/use-answer'
import {
  useCanControl,
  useEnvironment,
  useIsOpen,
  useMiner,
  useNode,
  useNow,
  useOperation,
} from '../../state/environment'
import { selectPools } from '../../state/stores/program-store'
import { Button } from '../../widgets/controls/Button'
import { ACCEPTED, Shares } from '../../widgets/facts/Shares'
import { type Mark, StatePill, type Tone } from '../../widgets/facts/StatePill'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/facts/States'
import { Value } from '../../widgets/facts/Value'
import { SourceWhy } from '../../widgets/why/SourceWhy'
import { Why } from '../../widgets/why/Why'
import { type WhyRow, WhyText } from '../../widgets/why/WhyText'
import { Screen } from '../Screen'
import { Calculator } from './income/Calculator'
import { type Finder, findersOf, shareOf } from './income/odds'
import { Payouts } from './income/Payouts'
import { FEW, type LastBlocks, MANY, useLastBlocks } from './income/use-last-blocks'
import { addressOnly, PoolFields, type TypedPool, wholePool } from './PoolFields'
import styles from './Pools.module.css'
import { PoolTable } from './PoolTable'
import { TestButton, TestResult, useTest } from './PoolTest'

// Do the hashes arrive, are they paid, and who finds the blocks? Each panel says what it is based on and what it can't
// know.

function PoolPanels() {
  const hasNode = useNode((state) => state.head !== null && state.head.head !== null)
  return <div className={styles.panels}>{hasNode ? <ChainPanels /> : <Payouts last={NO_BLOCKS} />}</div>
}

const NO_BLOCKS = { blocks: null, error: '', ask: () => undefined }

function ChainPanels() {
  const last = useLastBlocks()
  return (
    <>
      <Payouts last={last} />
      <Dominance last={last} />
    </>
  )
}

/** @param proposed address that a link filled in; null if none */
export function Pools({ proposed }: { readonly proposed: string | null }) {
  const t = useText()
  const kind = useOperation((state) => state.pools?.kind ?? null)
  const canControl = useCanControl()
  return (
    <Screen title={t('ui.nav.pools')}>
      {kind === null && <Skeleton lines={5} />}
      {kind === 'none' && (
        <Card title={t('ui.pools.list')}>
          <EmptyState icon={Network} title={t('ui.pools.noMiner')} />
        </Card>
      )}
      {kind === 'pools' && <Warning />}
      {kind !== null && kind !== 'none' && (
        <>
          <div className={styles.sides}>
            <div className={styles.panels}>
              <Ladder isPlanned={kind === 'solo'} />
              {canControl && <AddPool key={proposed} proposed={proposed} />}
              <PoolHead />
            </div>
            <PoolPanels />
          </div>
          <Calculator />
        </>
      )}
    </Screen>
  )
}

/** The pools, or that there are none. @param isPlanned mining is solo: pools are only used once one is chosen */
function Ladder({ isPlanned }: { readonly isPlanned: boolean }) {
  const t = useText()
  const count = useOperation((state) => selectPools(state).length)
  return (
    <>
      {!isPlanned && <ActivePool />}
      <Card title={t('ui.pools.list')} isFlush={count > 0} testId="pool-list">
        {count > 0 && <PoolTable />}
        {count === 0 && !isPlanned && <EmptyState icon={Network} title={t('ui.pools.empty')} />}
        {count === 0 && isPlanned && (
          <EmptyState
            icon={Network}
            title={t('ui.pools.none')}
            action={<a href={hrefOf('/settings/pool')}>{t('ui.pools.openSettings')}</a>}
          >
            {t('ui.pools.noneText')}
          </EmptyState>
        )}
      </Card>
      {(count > 0 || !isPlanned) && (
        <p className={styles.note}>{t(isPlanned ? 'ui.pools.plannedText' : 'ui.pools.listText')}</p>
      )}
    </>
  )
}

/** The miner's own words about the pool. */
function Warning() {
  const t = useText()
  const warning = useMiner((state) => state.status?.source.warning ?? '')
  if (warning === '') return null
  return (
    <Note tone="warn" icon={TriangleAlert} testId="pool-warning">
      {t('ui.pools.warning')} <ForeignText text={warning} />
    </Note>
  )
}

function ActivePool() {
  const { t, format } = useLanguage()
  const status = useMiner((state) => state.status)
  if (status === null) return null
  const { source, shares } = status
  return (
    <Card title={t('ui.pools.current')} testId="pool-active">
      <div className={styles.current}>
        <strong className={styles.host}>
          <ForeignText text={source.host === '' ? format.text('count', null) : source.host} />
        </strong>
        <span className={styles.soft}>{t(source.connected ? 'ui.overview.hasWork' : 'ui.overview.noWork')}</span>
      </div>
      <Facts isRow>
        <JobFacts {...source} />
        <Fact label={t('ui.overview.shares')} why={<Why of="shares" parts={ACCEPTED} />}>
          <Shares {...shares} />
        </Fact>
        <Fact label={t('ui.pools.switches')} why={<SourceWhy of="switches" />}>
          <Value kind="count" value={source.switches} />
        </Fact>
      </Facts>
    </Card>
  )
}

const looks: Readonly<Record<PoolHeadView['state'], readonly [Tone, Mark]>> = {
  on: ['ok', 'ok'],
  own: ['ok', 'ok'],
  behind: ['warn', 'attention'],
  ahead: ['info', 'attention'],
  noJob: ['warn', 'attention'],
  unknown: ['neutral', 'waiting'],
}

function PoolHead() {
  const t = useText()
  const poolHead = useOperation((state) => state.poolHead)
  return (
    <Card title={t('ui.pools.head')} testId="pool-head-check">
      {poolHead === null ? <Skeleton lines={4} /> : <Comparison poolHead={poolHead} />}
      {poolHead?.state !== 'own' && <p className={styles.note}>{t('ui.pools.headText')}</p>}
    </Card>
  )
}

function Comparison({ poolHead }: { readonly poolHead: PoolHeadView }) {
  const t = useText()
  const { job, head } = poolHead
  // The node's own work has nothing to be compared with.
  if (poolHead.state === 'own')
    return (
      <>
        <State poolHead={poolHead} />
        <Facts>
          <Fact label={t('ui.pools.tipOwnJob')} why={<SourceWhy of="jobHeight" />}>
            <Place height={job?.height ?? null} epoch={job?.epoch ?? null} />
          </Fact>
        </Facts>
      </>
    )
  return (
    <>
      <State poolHead={poolHead} />
      <Facts>
        <Fact label={t('ui.pools.tipJob')} why={<SourceWhy of="tipJob" />}>
          <Place height={job?.height ?? null} epoch={job?.epoch ?? null} />
        </Fact>
        <Fact label={t('ui.pools.tipHead')} why={<SourceWhy of="tipHead" />}>
          <Place height={head?.height ?? null} epoch={head?.epoch ?? null} />
        </Fact>
        <Delays delays={poolHead.delays} />
      </Facts>
    </>
  )
}

function State({ poolHead: { state, since, why } }: { readonly poolHead: PoolHeadView }) {
  const { t, format } = useLanguage()
  const now = useNow()
  const [tone, mark] = looks[state]
  const waited = since === null ? 'none' : format.text('duration', Math.max(0, now - since) / 1000)
  return (
    <StatePill tone={tone} mark={mark} state={state} testId="pool-head-state">
      {state === 'unknown' && why !== '' ? t(`ui.pools.head.why.${why}`) : t(`ui.pools.head.${state}`, { waited })}
    </StatePill>
  )
}

function Place({ height, epoch }: { readonly height: number | null; readonly epoch: number | null }) {
  const t = useText()
  return (
    <>
      <Value kind="count" value={height} />
      {epoch !== null && <span className={styles.soft}> · {t('ui.pools.tipEpoch', { epoch })}</span>}
    </>
  )
}

function Delays({ delays }: Pick<PoolHeadView, 'delays'>) {
  const { t, format } = useLanguage()
  const text = (ms: number): string =>
    t(ms < 0 ? 'ui.pools.delayBefore' : 'ui.pools.delayAfter', { time: milliseconds(format, ms) })
  return (
    <>
      <Fact label={t('ui.pools.delayMedian')} why={<SourceWhy of="delays" />}>
        <span data-testid="pool-head-p50" data-value={delays?.p50Ms ?? ''}>
          {delays === null ? UNKNOWN : text(delays.p50Ms)}
        </span>
      </Fact>
      <Fact label={t('ui.pools.delayMost')} why={<SourceWhy of="delays" />}>
        <span data-testid="pool-head-p95" data-value={delays?.p95Ms ?? ''}>
          {delays === null ? UNKNOWN : text(delays.p95Ms)}
        </span>
      </Fact>
      <Fact label={t('ui.pools.delayCount')} why={<SourceWhy of="delayCount" />}>
        <Value kind="count" value={delays?.count ?? 0} />
      </Fact>
    </>
  )
}

interface Added {
  readonly host: string
  readonly kept: boolean
  readonly reason: string
}

/** The typed address with the fields beside it, their errors, and the host that was added last. */
function useAdding(proposed: string | null, onChange: () => void) {
  const t = useText()
  const { backend } = useEnvironment()
  const [typed, setTyped] = useState(() => addressOnly(proposed ?? ''))
  const [fault, setFault] = useState('')
  const { failure, run, forget } = useAttempt()
  const [added, setAdded] = useState<Added | null>(null)
  const { text, fault: wrong } = wholePool(typed)
  const change = (next: TypedPool): void => {
    setTyped(next)
    setFault('')
    forget()
    setAdded(null)
    onChange()
  }
  const add = (): void => {
    const missing = text === '' ? t('ui.pools.addEmpty') : wrong
    setFault(missing)
    if (missing !== '') return
    run(async () => {
      const kept = await backend.call('miner.poolAdd', { url: text })
      change(addressOnly(''))
      setAdded({ ...kept, host: hostOf(text) })
    })
  }
  return { typed, text, error: fault === '' ? failure : fault, added, change, add }
}

/** @param proposed address that a link filled in, for the user to read; null if none */
function AddPool({ proposed }: { readonly proposed: string | null }) {
  const t = useText()
  const isOpen = useIsOpen()
  const test = useTest()
  const { typed, text, error, added, change, add } = useAdding(proposed, test.clear)
  const missing = text === '' ? t('ui.pools.addEmpty') : undefined
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (proposed !== null) field.current?.focus()
  }, [proposed])
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isOpen) add()
  }
  return (
    <Card title={t('ui.pools.add')} testId="pool-add">
      <form className={styles.add} onSubmit={submit}>
        {proposed !== null && typed.address === proposed && (
          <p className={styles.warning} role="status" data-testid="pool-proposed">
            {t('ui.pools.addProposed')}
          </p>
        )}
        <PoolFields
          typed={typed}
          onChange={change}
          hint={t('ui.pools.addHint')}
          error={error}
          addressRef={field}
          name="pool"
        />
        <div className={styles.actions}>
          <TestButton test={test} url={text} disabledReason={missing} />
          <Button
            type="submit"
            variant="primary"
            size="small"
            data-testid="pool-add-submit"
            needsContact
            disabledReason={missing}
          >
            {t('ui.pools.addButton')}
          </Button>
        </div>
      </form>
      <TestResult test={test} />
      {added !== null && (
        <p className={added.kept ? styles.success : styles.warning} role="status" data-testid="pool-added">
          {added.kept
            ? t('ui.pools.addedKept', { host: added.host })
            : t('ui.pools.addedNotKept', { host: added.host, reason: added.reason })}
        </p>
      )}
    </Card>
  )
}

/** The host of an address, for a message: never the user name or password. */
function hostOf(url: string): string {
  return url.slice(Math.max(url.lastIndexOf('@'), url.indexOf('://') + 2) + 1).replace(/[/?#].*$/, '')
}

/** What the current job says about itself, whatever its source. */
function JobFacts({ difficulty, height, epoch }: MinerStatusView['source']) {
  const t = useText()
  return (
    <>
      <Fact label={t('ui.overview.jobDifficulty')} why={<SourceWhy of="jobDifficulty" />}>
        <Value kind="difficulty" value={difficulty} />
      </Fact>
      <Fact label={t('ui.overview.jobHeight')} why={<SourceWhy of="jobHeight" />}>
        <Value kind="count" value={height} />
      </Fact>
      <Fact label={t('ui.overview.epoch')} why={<SourceWhy of="epoch" />}>
        <Value kind="count" value={epoch} />
      </Fact>
    </>
  )
}

const FINDERS_SHOWN = 6
const NOBODY: readonly string[] = []

/** Who finds the blocks, how uncertain that is with so few, and which finders belong to the active pool. */
function Dominance({ last: { blocks, error, ask } }: { readonly last: LastBlocks }) {
  const t = useText()
  return (
    <Card title={t('ui.pools.dominance')} testId="dominance">
      {error !== '' && <ErrorState title={t('ui.node.blocksFailed')} reason={error} onRetry={ask} />}
      {error === '' && blocks === null && <Skeleton lines={4} />}
      {blocks !== null && blocks.length === 0 && <p className={styles.soft}>{t('ui.node.noBlocks')}</p>}
      {blocks !== null && blocks.length > 0 && <Finders blocks={blocks.slice(0, FEW)} />}
      {blocks !== null && blocks.length > FEW && <Finders blocks={blocks} />}
      <p className={styles.note}>{t('ui.pools.dominanceText')}</p>
    </Card>
  )
}

function Finders({ blocks }: { readonly blocks: readonly BlockRowView[] }) {
  const t = useText()
  const coinbases = useOperation((state) => state.poolHead?.coinbases ?? NOBODY)
  const ofPool = new Set(coinbases.map((address) => address.toLowerCase()))
  const all = findersOf(blocks.map(({ miner }) => miner))
  const finders = all.slice(0, FINDERS_SHOWN)
  const [explained, setExplained] = useState<FinderWhyProps['of'] | null>(null)
  const why = (name: FinderWhyProps['of']) => ({
    isOpen: explained === name,
    onToggle: () => setExplained(explained === name ? null : name),
  })
  return (
    <>
      <table className={styles.bars}>
        <caption className={styles.soft}>{t('ui.pools.dominanceOf', { count: blocks.length })}</caption>
        <TableHead
          headings={[
            t('ui.accounts.address'),
            { text: t('ui.pools.blocks'), className: styles.number },
            { text: <WhyButton {...why('finderShare')}>{t('ui.pools.share')}</WhyButton>, className: styles.number },
            { text: <WhyButton {...why('finderBand')}>{t('ui.pools.band')}</WhyButton> },
          ]}
        />
        <tbody>
          {finders.map((finder) => (
            <FinderRow key={finder.address} finder={finder} isOfPool={ofPool.has(finder.address)} />
          ))}
        </tbody>
      </table>
      {explained !== null && (
        <div className={styles.soft}>
          <Because>
            <FinderWhy of={explained} finders={all} count={blocks.length} />
          </Because>
        </div>
      )}
      {ofPool.size > 0 && <PoolShare blocks={blocks} ofPool={ofPool} />}
    </>
  )
}

interface FinderWhyProps {
  readonly of: 'finderShare' | 'finderBand'
  readonly finders: readonly Finder[]
  readonly count: number
}

/** The blocks of each finder, with all that have no row of their own: they add up to those counted. */
function FinderWhy({ of, finders, count }: FinderWhyProps) {
  const { t, format } = useLanguage()
  const shown = finders.slice(0, FINDERS_SHOWN)
  const rest = finders.slice(FINDERS_SHOWN).reduce((sum, { blocks }) => sum + blocks, 0)
  const rows: readonly WhyRow[] = [
    ...shown.map(({ address, blocks }) => ({
      label: shortHex(address),
      value: format.text('count', blocks),
      isForeign: true,
    })),
    ...(rest === 0 ? [] : [{ label: t('ui.why.row.otherFinders'), value: format.text('count', rest) }]),
    { label: t('ui.why.row.sum'), value: format.text('count', count), isResult: true },
  ]
  return <WhyText of={of} rows={of === 'finderShare' ? rows : []} />
}

/** The counts behind the miner's warning. */
function PoolShare(props: { readonly blocks: readonly BlockRowView[]; readonly ofPool: ReadonlySet<string> }) {
  const t = useText()
  const percent = usePercent()
  const { blocks, ofPool } = props
  const own = blocks.filter(({ miner }) => ofPool.has(miner.toLowerCase())).length
  const { share, low, high } = shareOf(own, blocks.length)
  const values = { own, count: blocks.length, share: percent(share), low: percent(low), high: percent(high) }
  return (
    <p className={styles.soft} data-testid="dominance-pool" data-value={own}>
      {t('ui.pools.dominancePool', { ...values, window: MANY })}
    </p>
  )
}

function usePercent(): (ratio: number) => string {
  const format = useFormat()
  return (ratio) => format.text('percent', 100 * ratio)
}

interface FinderRowProps {
  readonly finder: Finder
  readonly isOfPool: boolean
}

function FinderRow({ finder: { address, blocks, share, low, high }, isOfPool }: FinderRowProps) {
  const { t, format } = useLanguage()
  const percent = usePercent()
  return (
    <tr>
      <th scope="row">
        <AddressText address={address} form="short" href={hrefOf(`/node/address/${address}`)} />
        {isOfPool && <span className={styles.mark}>{t('ui.pools.ofPool')}</span>}
      </th>
      <td className={styles.number}>{format.text('count', blocks)}</td>
      <td className={styles.number}>{percent(share)}</td>
      <td>
        <span className={styles.track} aria-hidden="true" style={{ display: 'block' }}>
          <span className={styles.value} style={{ inlineSize: `${100 * share}%` }} />
          <span
            className={styles.likely}
            style={{ insetInlineStart: `${100 * low}%`, inlineSize: `${100 * (high - low)}%` }}
          />
        </span>
        <span className={styles.soft}>{t('ui.pools.dominanceBand', { low: percent(low), high: percent(high) })}</span>
      </td>
    </tr>
  )
}

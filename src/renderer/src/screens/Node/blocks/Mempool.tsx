// Transactions waiting for a block: paged, highest price first, own ones marked.
import { ArrowLeftRight } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import type { PoolPageView, PoolRowView } from '../../../../../contract/explorer'
import { TextField } from '../../../components/forms/TextField'
import { Card } from '../../../components/layout/Card'
import { ScrollRegion } from '../../../components/layout/ScrollRegion'
import table from '../../../components/tables/Table.module.css'
import { AddressText, HashText } from '../../../components/values/HexText'
import { useFormat, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useAnswer } from '../../../state/answers/use-answer'
import { useEnvironment, useNode, useSigner } from '../../../state/environment'
import { Button } from '../../../widgets/controls/Button'
import { AmountText } from '../../../widgets/facts/AmountText'
import { EmptyState, ErrorState, Skeleton } from '../../../widgets/facts/States'
import { useColumnWhy } from '../../../widgets/why/ColumnWhy'
import { WhyText } from '../../../widgets/why/WhyText'
import styles from '../Node.module.css'
import { PoolReport } from './PoolReport'

const PAGE = 50

/** Read again when the pool's counts or the head change, which is when the content does. */
function usePoolPage(from: number, filter: string) {
  const { backend } = useEnvironment()
  const mark = useNode(({ head }) => `${head?.pending} ${head?.queued} ${head?.head?.hash}`)
  const ask = useCallback(() => backend.call('node.poolPage', { from, count: PAGE, filter }), [backend, from, filter])
  return useAnswer(ask, mark)
}

export function Mempool() {
  return (
    <>
      <PoolReport />
      <PoolList />
    </>
  )
}

function PoolList() {
  const t = useText()
  const format = useFormat()
  const [from, setFrom] = useState(0)
  const [filter, setFilter] = useState('')
  const { value: page, reason, retry } = usePoolPage(from, filter.trim().slice(0, 66))
  const count = page?.transactions.length ?? 0
  return (
    <Card
      title={t('ui.node.mempool')}
      testId="mempool"
      aside={
        page !== null && (
          <span className={styles.soft}>
            {t('ui.node.mempoolCounts', {
              pending: format.text('count', page.pending),
              queued: format.text('count', page.queued),
            })}
          </span>
        )
      }
    >
      <TextField
        label={t('ui.node.mempoolFilter')}
        isLabelHidden
        type="search"
        placeholder={t('ui.node.mempoolFilter')}
        value={filter}
        maxLength={66}
        onChange={(value) => {
          setFilter(value)
          setFrom(0)
        }}
      />
      {reason !== '' && <ErrorState title={t('ui.node.mempoolFailed')} reason={reason} onRetry={() => void retry()} />}
      {page === null && reason === '' && <Skeleton lines={6} />}
      {page !== null && count === 0 && (
        <EmptyState
          icon={ArrowLeftRight}
          title={t(filter.trim() === '' ? 'ui.node.mempoolEmpty' : 'ui.node.mempoolNoMatch')}
        />
      )}
      {page !== null && count > 0 && <PoolTable rows={page.transactions} />}
      {page !== null && page.found > PAGE && <Pager page={page} from={from} onGo={setFrom} />}
    </Card>
  )
}

interface PagerProps {
  readonly page: PoolPageView
  readonly from: number
  readonly onGo: (from: number) => void
}

function Pager({ page, from, onGo }: PagerProps) {
  const t = useText()
  const format = useFormat()
  const end = from + page.transactions.length
  return (
    <div className={styles.pager}>
      <Button
        size="small"
        disabledReason={from === 0 ? t('ui.node.firstPage') : undefined}
        onClick={() => onGo(Math.max(0, from - PAGE))}
      >
        {t('ui.node.newer')}
      </Button>
      <span className={styles.soft} role="status">
        {t('ui.node.mempoolPage', { from: from + 1, to: end, count: format.text('count', page.found) })}
      </span>
      <Button
        size="small"
        disabledReason={end >= page.found ? t('ui.node.lastPage') : undefined}
        onClick={() => onGo(from + PAGE)}
      >
        {t('ui.node.older')}
      </Button>
    </div>
  )
}

/** Columns of figures, and what is said of them. */
const numbers = [
  ['value', 'poolValue'],
  ['gasPrice', 'poolPrice'],
  ['gas', 'poolGas'],
  ['nonce', 'poolNonce'],
] as const

function PoolTable({ rows }: { readonly rows: readonly PoolRowView[] }) {
  const t = useText()
  const { heading, because } = useColumnWhy<(typeof numbers)[number][1]>((of) => <WhyText of={of} />)
  return (
    <>
      {because}
      <PoolRows rows={rows} headings={numbers.map(([name, of]) => [name, heading(of, t(`ui.node.${name}`))])} />
    </>
  )
}

interface PoolRowsProps {
  readonly rows: readonly PoolRowView[]
  /** Of the columns of figures, with their names. */
  readonly headings: readonly (readonly [string, ReactNode])[]
}

function PoolRows({ rows, headings }: PoolRowsProps) {
  const t = useText()
  return (
    <ScrollRegion className={`${table.scroll} ${styles.bleed}`} label={t('ui.node.mempool')}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('ui.node.hash')}</th>
            <th scope="col">{t('ui.node.place')}</th>
            <th scope="col">{t('ui.node.from')}</th>
            <th scope="col">{t('ui.node.to')}</th>
            {headings.map(([name, heading]) => (
              <th key={name} scope="col" className={`${table.number} ${name === 'gas' ? table.spare : ''}`}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <PoolRow key={row.hash} row={row} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function PoolRow({ row }: { readonly row: PoolRowView }) {
  const t = useText()
  const format = useFormat()
  const isOwn = useSigner(
    (state) =>
      state.accounts?.accounts.some(({ address }) => address.toLowerCase() === row.from.toLowerCase()) ?? false,
  )
  return (
    <tr data-testid="mempool-row">
      <th scope="row">
        <HashText hex={row.hash} href={hrefOf(`/node/tx/${row.hash}`)} />
      </th>
      <td>{t(`ui.node.place.${row.place}`)}</td>
      <td className={styles.breaks}>
        <AddressText address={row.from} form="short" href={hrefOf(`/node/address/${row.from}`)} />{' '}
        {isOwn && <span className={styles.own}>{t('ui.node.own')}</span>}
      </td>
      <td>
        {row.to === null ? (
          t('ui.node.creation')
        ) : (
          <AddressText address={row.to} form="short" href={hrefOf(`/node/address/${row.to}`)} />
        )}
      </td>
      <td className={table.number}>
        <AmountText wei={row.value} form="list" />
      </td>
      <td className={table.number}>{format.gasPrice(BigInt(row.gasPrice))}</td>
      <td className={`${table.number} ${table.spare}`}>{format.text('count', row.gasLimit)}</td>
      <td className={table.number}>{format.text('count', row.nonce)}</td>
    </tr>
  )
}

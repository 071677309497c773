// Transactions waiting for a block: paged, highest price first, own ones marked.

import { ArrowLeftRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { PoolPageView, PoolReportView, PoolRowView } from '../../../../../contract/explorer'
import { TextField } from '../../../components/forms/TextField'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { Table, TableHead } from '../../../components/tables/Table'
import table from '../../../components/tables/Table.module.css'
import { AddressText, HashText } from '../../../components/values/HexText'
import { useLanguage, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useCall } from '../../../state/answers/use-answer'
import { useNode, useSigner } from '../../../state/environment'
import { Button } from '../../../widgets/controls/Button'
import { AnswerState, EmptyState, Skeleton } from '../../../widgets/facts/States'
import { AmountText, Value } from '../../../widgets/facts/Value'
import { NextBlockWhy, type NextBlockWhyProps } from '../../../widgets/why/BlockWhy'
import { useColumnWhy } from '../../../widgets/why/ColumnWhy'
import { WhyText } from '../../../widgets/why/WhyText'
import styles from '../Node.module.css'

const PAGE = 50

/** Read again when the pool's counts or the head change, which is when the content does. */
function usePoolPage(from: number, filter: string) {
  const mark = useNode(({ head }) => `${head?.pending} ${head?.queued} ${head?.head?.hash}`)
  return useCall('node.poolPage', { from, count: PAGE, filter }, { mark })
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
  const { t, format } = useLanguage()
  const [from, setFrom] = useState(0)
  const [filter, setFilter] = useState('')
  const answer = usePoolPage(from, filter.trim().slice(0, 66))
  const { value: page } = answer
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
      <AnswerState answer={answer} failed="ui.node.mempoolFailed" lines={6} />
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
  const { t, format } = useLanguage()
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
  readonly headings: readonly (readonly [string, ReactNode])[]
}

function PoolRows({ rows, headings }: PoolRowsProps) {
  const t = useText()
  return (
    <Table
      region={`${table.scroll} ${styles.bleed}`}
      className={table.table}
      label={t('ui.node.mempool')}
      headings={[
        ...(['hash', 'place', 'from', 'to'] as const).map((name) => t(`ui.node.${name}`)),
        ...headings.map(([name, text]) => ({
          text,
          className: `${table.number} ${name === 'gas' ? table.spare : ''}`,
        })),
      ]}
    >
      {rows.map((row) => (
        <PoolRow key={row.hash} row={row} />
      ))}
    </Table>
  )
}

function PoolRow({ row }: { readonly row: PoolRowView }) {
  const { t, format } = useLanguage()
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
      <td className={table.number}>{format.everyDigit(row.nonce)}</td>
    </tr>
  )
}

/** Heights of what comes: the words of an empty pool, and the figures of a block with the line below them. */
const HISTOGRAM_PX = 20
const TEMPLATE_PX = 218

function PoolReport() {
  const t = useText()
  const mark = useNode(({ head }) => `${head?.pending} ${head?.queued} ${head?.head?.hash}`)
  const answer = useCall('node.poolReport', {}, { mark })
  const { value, reason } = answer
  return (
    <div className={styles.cards}>
      <Card title={t('ui.node.gasHistogram')} testId="gas-histogram">
        <AnswerState answer={answer} failed="ui.node.poolReportFailed" lines={1} heightPx={HISTOGRAM_PX} />
        {value !== null && <GasHistogram prices={value.prices} />}
        {value !== null && value.template !== null && value.prices.length > 0 && (
          <PoolSum template={value.template} prices={value.prices} />
        )}
      </Card>
      <Card title={t('ui.node.template')} testId="block-template">
        {value === null && reason === '' && <Skeleton lines={6} heightPx={TEMPLATE_PX} />}
        {value !== null && <Template template={value.template} prices={value.prices} />}
      </Card>
    </div>
  )
}

/** One bar per step, in a table that reads the same without the bars. */
function GasHistogram({ prices }: { readonly prices: PoolReportView['prices'] }) {
  const { t, format } = useLanguage()
  if (prices.length === 0) return <p className={styles.soft}>{t('ui.node.gasNone')}</p>
  const most = Math.max(...prices.map(({ pending, queued }) => pending + queued))
  return (
    <table className={styles.histogram}>
      <TableHead className="visually-hidden" headings={[t('ui.node.gasPrice'), t('ui.node.transactions')]} />
      <tbody>
        {prices.map(({ from, below, pending, queued }) => (
          <tr key={from} data-testid="gas-step" data-value={pending + queued}>
            <th scope="row">
              {t('ui.node.gasStep', { from: format.gasPrice(BigInt(from)), below: format.gasPrice(BigInt(below)) })}
            </th>
            <td>
              <span className={styles.bar} aria-hidden="true">
                <span className={styles.barPending} style={{ inlineSize: `${(100 * pending) / most}%` }} />
                <span className={styles.barQueued} style={{ inlineSize: `${(100 * queued) / most}%` }} />
              </span>
              <span className={styles.barText}>
                {queued === 0
                  ? format.text('count', pending)
                  : t('ui.node.poolCounts', {
                      pending: format.text('count', pending),
                      queued: format.text('count', queued),
                    })}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function PoolSum({ template, prices }: Pick<NextBlockWhyProps, 'template' | 'prices'>) {
  const t = useText()
  const sum = prices.reduce((total, { pending, queued }) => total + pending + queued, 0)
  return (
    <Facts>
      <Fact label={t('ui.node.transactions')} why={<NextBlockWhy of="mempool" template={template} prices={prices} />}>
        <Value kind="count" value={sum} testId="pool-sum" />
      </Fact>
    </Facts>
  )
}

function Template({ template, prices }: PoolReportView) {
  const { t, format } = useLanguage()
  if (template === null) return <p className={styles.soft}>{t('ui.node.noBlocks')}</p>
  const { gasUsed, gasLimit } = template
  const why = (of: NextBlockWhyProps['of']) => <NextBlockWhy of={of} template={template} prices={prices} />
  return (
    <>
      <Facts>
        <Fact label={t('ui.node.height')} why={why('nextHeight')}>
          <Value kind="count" value={template.number} />
        </Fact>
        <Fact label={t('ui.node.transactions')} why={why('nextTransactions')}>
          <Value kind="count" value={template.transactions} testId="template-transactions" />
        </Fact>
        <Fact label={t('ui.node.gas')} why={why('blockGas')}>
          {t('ui.node.gasShare', {
            used: format.text('count', gasUsed),
            limit: format.text('count', gasLimit),
            share: format.text('percent', gasLimit === 0 ? null : (100 * gasUsed) / gasLimit),
          })}
        </Fact>
        <Fact label={t('ui.node.fees')} why={why('blockFees')}>
          <AmountText wei={template.fees} form="exact" testId="template-fees" />
        </Fact>
        <Fact label={t('ui.node.size')} why={why('blockSize')}>
          <Value kind="bytes" value={template.sizeBytes} />
        </Fact>
      </Facts>
      <p className={styles.soft}>{t('ui.node.templateText')}</p>
    </>
  )
}

// What waiting transactions offer, in price steps, and what a block built now would contain.
import { useCallback } from 'react'
import type { PoolReportView } from '../../../../../contract/explorer'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { useFormat, useText } from '../../../i18n/text'
import { useAnswer } from '../../../state/answers/use-answer'
import { useEnvironment, useNode } from '../../../state/environment'
import { AmountText } from '../../../widgets/facts/AmountText'
import { ErrorState, Skeleton } from '../../../widgets/facts/States'
import { Value } from '../../../widgets/facts/Value'
import { NextBlockWhy, type NextBlockWhyProps } from '../../../widgets/why/BlockWhy'
import styles from '../Node.module.css'

/** Heights of what comes: the words of an empty pool, and the figures of a block with the line below them. */
const HISTOGRAM_PX = 20
const TEMPLATE_PX = 218

export function PoolReport() {
  const t = useText()
  const { backend } = useEnvironment()
  const mark = useNode(({ head }) => `${head?.pending} ${head?.queued} ${head?.head?.hash}`)
  const ask = useCallback(() => backend.call('node.poolReport', {}), [backend])
  const { value, reason, retry } = useAnswer(ask, mark)
  return (
    <div className={styles.cards}>
      <Card title={t('ui.node.gasHistogram')} testId="gas-histogram">
        {reason !== '' && (
          <ErrorState title={t('ui.node.poolReportFailed')} reason={reason} onRetry={() => void retry()} />
        )}
        {value === null && reason === '' && <Skeleton lines={1} heightPx={HISTOGRAM_PX} />}
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
  const t = useText()
  const format = useFormat()
  if (prices.length === 0) return <p className={styles.soft}>{t('ui.node.gasNone')}</p>
  const most = Math.max(...prices.map(({ pending, queued }) => pending + queued))
  return (
    <table className={styles.histogram}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('ui.node.gasPrice')}</th>
          <th scope="col">{t('ui.node.transactions')}</th>
        </tr>
      </thead>
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

/** All waiting transactions, and what the steps add to them. */
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
  const t = useText()
  const format = useFormat()
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

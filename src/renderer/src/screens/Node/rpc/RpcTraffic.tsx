// How often each JSON-RPC method is called: since the node started, and in the last minute.
import { useCallback } from 'react'
import type { RpcMethodView } from '../../../../../contract/explorer'
import { Card } from '../../../components/layout/Card'
import { ScrollRegion } from '../../../components/layout/ScrollRegion'
import table from '../../../components/tables/Table.module.css'
import { useFormat, useText } from '../../../i18n/text'
import { useRegularAnswer } from '../../../state/answers/use-regular-answer'
import { useEnvironment } from '../../../state/environment'
import { ErrorState, Skeleton } from '../../../widgets/facts/States'
import { Value } from '../../../widgets/facts/Value'
import { useColumnWhy } from '../../../widgets/why/ColumnWhy'
import { type WhyRow, WhyText } from '../../../widgets/why/WhyText'
import styles from '../Node.module.css'

const EVERY_MS = 5_000
/** Height of the words before the first request. */
const NOTHING_PX = 20
/** Rows. */
const MAX_METHODS = 15

export function RpcTraffic() {
  const t = useText()
  const { backend } = useEnvironment()
  const ask = useCallback(() => backend.call('node.rpcTraffic', {}), [backend])
  const { value, reason, retry } = useRegularAnswer(ask, { everyMs: EVERY_MS })
  const methods = value?.methods ?? []
  const lastMinute = methods.reduce((sum, method) => sum + method.lastMinute, 0)
  return (
    <Card
      title={t('ui.node.traffic')}
      testId="rpc-traffic"
      isFlush={methods.length > 0}
      aside={value !== null && <span className={styles.soft}>{t('ui.node.trafficMinute', { count: lastMinute })}</span>}
    >
      {reason !== '' && <ErrorState title={t('ui.node.trafficFailed')} reason={reason} onRetry={() => void retry()} />}
      {value === null && reason === '' && <Skeleton lines={1} heightPx={NOTHING_PX} />}
      {value !== null && methods.length === 0 && <p className={styles.soft}>{t('ui.node.trafficNone')}</p>}
      {methods.length > 0 && <Methods methods={methods} />}
    </Card>
  )
}

const COUNTS = {
  trafficLast: ({ lastMinute }) => lastMinute,
  trafficTotal: ({ total }) => total,
  trafficFailedCount: ({ failed }) => failed,
} as const satisfies Readonly<Record<string, (method: RpcMethodView) => number>>

type Count = keyof typeof COUNTS

const numbers = ['trafficLast', 'trafficTotal', 'trafficFailedCount'] as const satisfies readonly Count[]

function Methods({ methods }: { readonly methods: readonly RpcMethodView[] }) {
  const t = useText()
  const format = useFormat()
  const { heading, because } = useColumnWhy<Count>((of) => <CountWhy of={of} methods={methods} />)
  return (
    <>
      {because}
      <ScrollRegion className={table.scroll} label={t('ui.node.traffic')}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t('ui.node.method')}</th>
              {numbers.map((name) => (
                <th key={name} scope="col" className={table.number}>
                  {heading(name, t(`ui.node.${name}`))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {methods.slice(0, MAX_METHODS).map(({ method, total, failed, lastMinute }) => (
              <tr key={method} data-testid="rpc-method">
                <th scope="row">
                  <code>{method}</code>
                </th>
                <td className={table.number}>{format.text('count', lastMinute)}</td>
                <td className={table.number}>{format.text('count', total)}</td>
                <td className={table.number}>{format.text('count', failed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  )
}

/** What each method adds to a column; those that aren't listed are one row. */
function CountWhy({ of, methods }: { readonly of: Count; readonly methods: readonly RpcMethodView[] }) {
  const t = useText()
  const sum = (some: readonly RpcMethodView[]): number => some.reduce((total, method) => total + COUNTS[of](method), 0)
  const counted = methods.filter((method) => COUNTS[of](method) > 0)
  const rest = counted.slice(MAX_METHODS)
  const rows: readonly WhyRow[] = [
    ...counted.slice(0, MAX_METHODS).map((method) => ({
      label: method.method,
      isForeign: true,
      value: <Value kind="count" value={COUNTS[of](method)} />,
    })),
    ...(rest.length === 0
      ? []
      : [{ label: t('ui.why.row.otherMethods'), value: <Value kind="count" value={sum(rest)} /> }]),
    { label: t('ui.why.row.sum'), value: <Value kind="count" value={sum(methods)} />, isResult: true },
  ]
  return <WhyText of={of} rows={rows} />
}

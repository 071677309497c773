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
import styles from '../Node.module.css'

const EVERY_MS = 5_000
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
      {value === null && reason === '' && <Skeleton lines={3} />}
      {value !== null && methods.length === 0 && <p className={styles.soft}>{t('ui.node.trafficNone')}</p>}
      {methods.length > 0 && <Methods methods={methods.slice(0, MAX_METHODS)} />}
    </Card>
  )
}

const numbers = ['trafficLast', 'trafficTotal', 'trafficFailedCount'] as const

function Methods({ methods }: { readonly methods: readonly RpcMethodView[] }) {
  const t = useText()
  const format = useFormat()
  return (
    <ScrollRegion className={table.scroll} label={t('ui.node.traffic')}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('ui.node.method')}</th>
            {numbers.map((name) => (
              <th key={name} scope="col" className={table.number}>
                {t(`ui.node.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {methods.map(({ method, total, failed, lastMinute }) => (
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
  )
}

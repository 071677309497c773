// Who can use the node: each JSON-RPC endpoint with what it serves and to whom.
import { PlugZap } from 'lucide-react'
import { useCallback } from 'react'
import type { ListenerView } from '../../../../../contract/explorer'
import { Card } from '../../../components/layout/Card'
import { ScrollRegion } from '../../../components/layout/ScrollRegion'
import table from '../../../components/tables/Table.module.css'
import { useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useAnswer } from '../../../state/answers/use-answer'
import { useEnvironment, useNode } from '../../../state/environment'
import { EmptyState, ErrorState, Skeleton } from '../../../widgets/facts/States'
import styles from '../Node.module.css'

/** Namespaces whose methods change what the node does, or are expensive. */
const RISKY: readonly string[] = ['admin', 'miner', 'debug']

export function Listeners() {
  const t = useText()
  const { backend } = useEnvironment()
  const nodeState = useNode((state) => state.head?.state ?? '') // a starting node begins to listen
  const ask = useCallback(() => backend.call('node.listeners', {}), [backend])
  const { value, reason, retry } = useAnswer(ask, nodeState)
  const listeners = reason === '' ? (value?.listeners ?? null) : null
  return (
    <Card
      title={t('ui.node.listeners')}
      isFlush={listeners !== null && listeners.length > 0}
      testId="listeners"
      aside={<a href={hrefOf('/settings/rpc')}>{t('ui.node.rpcSettings')}</a>}
    >
      {reason !== '' && (
        <ErrorState title={t('ui.node.listenersFailed')} reason={reason} onRetry={() => void retry()} />
      )}
      {listeners === null && reason === '' && (
        <div className={styles.listenersPlace}>
          <Skeleton lines={3} />
        </div>
      )}
      {listeners?.length === 0 && <EmptyState icon={PlugZap} title={t('ui.node.listenersNone')} />}
      {listeners !== null && listeners.length > 0 && <ListenerTable listeners={listeners} />}
    </Card>
  )
}

const headings = ['transport', 'listenAddress', 'namespaces', 'origins', 'hosts'] as const

function ListenerTable({ listeners }: { readonly listeners: readonly ListenerView[] }) {
  const t = useText()
  return (
    <ScrollRegion className={table.scroll} label={t('ui.node.listeners')}>
      <table className={table.table}>
        <thead>
          <tr>
            {headings.map((name) => (
              <th key={name} scope="col">
                {t(`ui.node.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listeners.map(({ kind, address, namespaces, origins, hosts }) => (
            <tr key={kind} data-testid={`listener-${kind}`}>
              <th scope="row">{t(`ui.node.listener.${kind}`)}</th>
              <td className={styles.breaks}>{address === null ? t('ui.node.notListening') : <code>{address}</code>}</td>
              <td className={styles.breaks}>
                <span className={styles.names}>
                  {namespaces.map((name) => (
                    <Namespace key={name} name={name} isOpenDoor={kind !== 'ipc'} />
                  ))}
                </span>
              </td>
              <td className={styles.breaks}>
                {origins === null ? t('ui.node.noPages') : origins.join(', ') || t('ui.node.noOrigins')}
              </td>
              <td className={styles.breaks}>{hosts === null ? t('ui.node.anyHost') : hosts.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function Namespace({ name, isOpenDoor }: { readonly name: string; readonly isOpenDoor: boolean }) {
  const t = useText()
  const isRisky = isOpenDoor && RISKY.includes(name)
  return (
    <code className={isRisky ? styles.risky : styles.namespace} title={isRisky ? t('ui.node.risky') : undefined}>
      {name}
      {isRisky && <span className="visually-hidden"> ({t('ui.node.risky')})</span>}
    </code>
  )
}

// Who may ask the node: each way in to JSON-RPC with what it serves and to whom.
import { PlugZap } from 'lucide-react'
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { ListenerView } from '../../../../contract/explorer'
import { hrefOf } from '../../app/router'
import { Card } from '../../components/Card'
import { ScrollRegion } from '../../components/ScrollRegion'
import { EmptyState, ErrorState, Skeleton } from '../../components/States'
import table from '../../components/Table.module.css'
import { useText } from '../../i18n/text'
import { useAsking, useEnvironment, useNode } from '../../state/environment'
import styles from './Node.module.css'

/** Namespaces whose methods change what the node does, or cost it much. */
const RISKY: readonly string[] = ['admin', 'miner', 'debug']

interface Answer {
  readonly listeners: readonly ListenerView[] | null
  readonly reason: string
}

export function Listeners() {
  const t = useText()
  const { backend } = useEnvironment()
  const [{ listeners, reason }, setAnswer] = useState<Answer>({ listeners: null, reason: '' })
  const nodeState = useNode((state) => state.head?.state)
  const ask = useCallback(
    () =>
      backend.call('node.listeners', {}).then(
        (found) => setAnswer({ listeners: found.listeners, reason: '' }),
        (error: unknown) => setAnswer({ listeners: null, reason: messageOf(error) }),
      ),
    [backend],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a node that starts begins to listen
  const askOnce = useCallback(() => void ask(), [ask, nodeState])
  useAsking(askOnce)
  return (
    <Card
      title={t('ui.node.listeners')}
      isFlush={listeners !== null && listeners.length > 0}
      testId="listeners"
      aside={<a href={hrefOf('/settings/rpc')}>{t('ui.node.rpcSettings')}</a>}
    >
      {reason !== '' && <ErrorState title={t('ui.node.listenersFailed')} reason={reason} onRetry={() => void ask()} />}
      {listeners === null && reason === '' && <Skeleton lines={3} />}
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

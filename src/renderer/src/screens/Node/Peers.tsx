// Who the node talks to. A private chain has nobody to talk to, and says so.
import { Unplug, Users } from 'lucide-react'
import { Card } from '../../components/Card'
import { EmptyState, Skeleton } from '../../components/States'
import { useText } from '../../i18n/text'
import { useNode } from '../../state/environment'

export function Peers() {
  const t = useText()
  const isKnown = useNode((state) => state.head !== null)
  const peers = useNode((state) => state.head?.peers ?? null)
  return (
    <Card title={t('ui.node.tab.peers')} testId="node-peers">
      {!isKnown && <Skeleton lines={4} />}
      {isKnown && peers === null && (
        <EmptyState icon={Unplug} title={t('ui.node.noPeersTitle')}>
          {t('ui.node.noPeersText')}
        </EmptyState>
      )}
      {peers !== null && (
        <EmptyState icon={Users} title={t('ui.node.peersCountTitle', { count: peers })}>
          {t('ui.node.peersCountText')}
        </EmptyState>
      )}
    </Card>
  )
}

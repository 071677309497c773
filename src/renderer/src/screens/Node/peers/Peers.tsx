// The node's connections, how others reach it, and which nodes are banned. A private chain has no peers, and the screen
// says so.
import { Unplug, Users } from 'lucide-react'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { HashText } from '../../../components/values/HexText'
import { useFormat, useText } from '../../../i18n/text'
import { useApp, useNode } from '../../../state/environment'
import { selectCanControl } from '../../../state/stores/app-store'
import { EmptyState, Skeleton } from '../../../widgets/facts/States'
import { AddPeer } from './AddPeer'
import { Bans } from './Bans'
import { PeerTable } from './PeerTable'

export function Peers() {
  const t = useText()
  const isKnown = useNode((state) => state.head !== null)
  const isPrivate = useNode((state) => state.head !== null && state.head.peers === null)
  const view = useNode((state) => state.peers)
  const canControl = useApp(selectCanControl)
  if (isPrivate)
    return (
      <Card title={t('ui.node.tab.peers')} testId="node-peers">
        <EmptyState icon={Unplug} title={t('ui.node.noPeersTitle')}>
          {t('ui.node.noPeersText')}
        </EmptyState>
      </Card>
    )
  const count = view?.peers.length ?? 0
  return (
    <>
      <Card
        title={t('ui.node.tab.peers')}
        testId="node-peers"
        isFlush={count > 0}
        aside={view !== null && <span>{t('ui.node.peersOf', { count, most: view.maxPeers })}</span>}
      >
        {(!isKnown || view === null) && <Skeleton lines={4} />}
        {view !== null && count === 0 && (
          <EmptyState icon={Users} title={t('ui.node.peersCountTitle', { count: 0 })}>
            {t('ui.node.peersNone')}
          </EmptyState>
        )}
        {count > 0 && <PeerTable peers={view?.peers ?? []} canControl={canControl} />}
      </Card>
      {canControl && <AddPeer />}
      <Self />
      <Bans canControl={canControl} />
    </>
  )
}

/** What to give someone who wants to connect. */
function Self() {
  const t = useText()
  const format = useFormat()
  const self = useNode((state) => state.peers?.self ?? null)
  if (self === null) return null
  return (
    <Card title={t('ui.node.self')} testId="node-self">
      <Facts>
        <Fact label={t('ui.node.enode')}>
          <HashText hex={self.enode} isFull label={t('ui.node.enode')} />
        </Fact>
        <Fact label={t('ui.node.enr')}>
          {self.enr === '' ? format.age(null) : <HashText hex={self.enr} isFull label={t('ui.node.enr')} />}
        </Fact>
      </Facts>
    </Card>
  )
}

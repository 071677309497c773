// The node's connections, how others reach it, and which nodes are banned. A private chain has no peers, and the screen
// says so.
import { Unplug, Users } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Failure } from '../../../components/faults/Failure'
import { TextField } from '../../../components/forms/TextField'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { ForeignText, HashText } from '../../../components/values/HexText'
import { useFormat, useText } from '../../../i18n/text'
import { useAttempt } from '../../../state/answers/use-attempt'
import { useApp, useEnvironment, useNode, useNow } from '../../../state/environment'
import { selectCanControl } from '../../../state/stores/app-store'
import { selectHasNoPeers } from '../../../state/stores/node-store'
import { Button } from '../../../widgets/controls/Button'
import { EmptyState, Skeleton } from '../../../widgets/facts/States'
import styles from '../Node.module.css'
import { PeerTable } from './PeerTable'

export function Peers() {
  const t = useText()
  const isPrivate = useNode(selectHasNoPeers)
  const view = useNode(({ head, peers }) => (head?.state === 'running' ? peers : null))
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
        {view === null && <Skeleton lines={4} />}
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

function Bans({ canControl }: { readonly canControl: boolean }) {
  const t = useText()
  const format = useFormat()
  const now = useNow()
  const { backend } = useEnvironment()
  const bans = useNode((state) => state.peers?.bans ?? null)
  const { failure, run } = useAttempt()
  if (bans === null || bans.length === 0) return null
  return (
    <Card title={t('ui.node.bans')} testId="node-bans">
      <ul className={styles.bans}>
        {bans.map(({ id, reason, endsAt }) => (
          <li key={id}>
            <HashText hex={`0x${id}`} />
            <span>
              <ForeignText text={reason} />
            </span>
            <span className={styles.soft}>
              {t('ui.node.banEnds', { time: format.text('duration', Math.max(0, (endsAt - now) / 1000)) })}
            </span>
            {canControl && (
              <Button
                size="small"
                variant="quiet"
                needsContact
                onClick={() => run(() => backend.call('node.liftBan', { id }))}
              >
                {t('ui.node.banLift')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Failure text={failure} />
    </Card>
  )
}

function AddPeer() {
  const t = useText()
  const { backend } = useEnvironment()
  const [enode, setEnode] = useState('')
  const [isEmpty, setEmpty] = useState(false)
  const { failure, run, forget } = useAttempt()
  const [isAdded, setAdded] = useState(false)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (backend.connection().kind !== 'open') return
    const text = enode.trim()
    setEmpty(text === '')
    if (text === '') return
    run(async () => {
      await backend.call('node.addPeer', { enode: text })
      setEnode('')
      setAdded(true)
    })
  }
  return (
    <Card title={t('ui.node.addPeer')} testId="peer-add">
      <form className={styles.addPeer} onSubmit={submit}>
        <TextField
          label={t('ui.node.enode')}
          hint={t('ui.node.addPeerHint')}
          value={enode}
          error={isEmpty ? t('ui.node.addPeerEmpty') : failure}
          isMono
          maxLength={512}
          data-testid="peer-enode"
          onChange={(text) => {
            setEnode(text)
            setEmpty(false)
            forget()
            setAdded(false)
          }}
        />
        <Button type="submit" needsContact data-testid="peer-add-submit">
          {t('ui.node.addPeerButton')}
        </Button>
      </form>
      {isAdded && <p role="status">{t('ui.node.addPeerDone')}</p>}
    </Card>
  )
}

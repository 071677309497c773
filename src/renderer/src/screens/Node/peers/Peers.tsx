// The node's connections, how others reach it, and which nodes are banned; a private chain says that it has none.

import { Unplug, Users } from 'lucide-react'
import { type FormEvent, Fragment, useState } from 'react'
import { bracketed } from '../../../../../base/ip-address'
import type { PeerView } from '../../../../../contract/network'
import { TextField } from '../../../components/forms/TextField'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { hiddenHeading, Table } from '../../../components/tables/Table'
import table from '../../../components/tables/Table.module.css'
import { CopyButton, ForeignText, HashText } from '../../../components/values/HexText'
import { UNKNOWN } from '../../../format/formatter'
import { type Text, useLanguage, useText } from '../../../i18n/text'
import { type Attempt, useAttempt } from '../../../state/answers/use-answer'
import { useCanControl, useEnvironment, useNode, useNow } from '../../../state/environment'
import { selectHasNoPeers } from '../../../state/stores/program-store'
import { Button, Failure } from '../../../widgets/controls/Button'
import { EmptyState, Skeleton } from '../../../widgets/facts/States'
import { Age, Value } from '../../../widgets/facts/Value'
import styles from '../Node.module.css'

export function Peers() {
  const t = useText()
  const isPrivate = useNode(selectHasNoPeers)
  const view = useNode(({ head, peers }) => (head?.state === 'running' ? peers : null))
  const canControl = useCanControl()
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
  const { t, format } = useLanguage()
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
  const { t, format } = useLanguage()
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

const headings = ['name', 'direction', 'address', 'head', 'latency', 'since', 'traffic'] as const

function PeerTable({ peers, canControl }: { readonly peers: readonly PeerView[]; readonly canControl: boolean }) {
  const t = useText()
  const { failure, run } = useAttempt()
  return (
    <>
      <Table
        label={t('ui.node.tab.peers')}
        className={`${table.table} ${styles.peers}`}
        headings={[...headings.map((name) => t(`ui.node.peer.${name}`)), hiddenHeading(t('ui.gpus.actions'))]}
      >
        {peers.map((peer) => (
          <PeerRow key={peer.id} peer={peer} canControl={canControl} run={run} />
        ))}
      </Table>
      <Failure text={failure} />
    </>
  )
}

interface PeerRowProps {
  readonly peer: PeerView
  readonly canControl: boolean
  readonly run: Attempt['run']
}

function PeerRow({ peer, canControl, run }: PeerRowProps) {
  const { t, format } = useLanguage()
  const { client, direction, isTrusted, isStatic, capabilities, head, latencyMs } = peer
  const marks = [
    t(`ui.node.direction.${direction}`),
    ...(isTrusted ? [t('ui.node.peer.trusted')] : []),
    ...(isStatic ? [t('ui.node.peer.static')] : []),
  ]
  const own = useNode((state) => state.head?.head?.number ?? null)
  const difference = own === null || head.number === null ? null : head.number - own
  const traffic = { in: format.text('bytes', peer.bytesIn), out: format.text('bytes', peer.bytesOut) }
  return (
    <tr data-testid="peer-row" data-state={direction}>
      <th scope="row" className={styles.program}>
        <ClientName client={client === '' ? t('ui.node.peer.nameless') : client} />
        <span className={styles.below}>
          <span className="visually-hidden">{t('ui.node.peer.versions')} </span>
          <ForeignText text={capabilities.join(', ') || UNKNOWN} />
        </span>
      </th>
      <td data-label={t('ui.node.peer.direction')}>{marks.join(format.separator)}</td>
      <AddressCell peer={peer} />
      <td data-label={t('ui.node.peer.head')}>
        <Value kind="count" value={head.number} />
        {difference !== null && (
          <span className={styles.below} data-testid="peer-difference">
            {differenceText(difference, t)}
          </span>
        )}
      </td>
      <td data-label={t('ui.node.peer.latency')}>
        {latencyMs === null ? format.age(null) : t('ui.node.peer.ms', { ms: Math.round(latencyMs) })}
      </td>
      <td data-label={t('ui.node.peer.since')}>
        <Age time={peer.connectedAt} />
      </td>
      <td className={styles.traffic} data-label={t('ui.node.peer.traffic')}>
        {t('ui.node.peer.inOut', traffic)}
      </td>
      <td>{canControl && <PeerActions peer={peer} run={run} />}</td>
    </tr>
  )
}

function ClientName({ client }: { readonly client: string }) {
  const [first = '', ...others] = client.split(/(?<=\/)/)
  return (
    <>
      <ForeignText text={first} />
      {others.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one constant text have no other identity
        <Fragment key={index}>
          <wbr />
          <ForeignText text={part} />
        </Fragment>
      ))}
    </>
  )
}

/** What it announced, beside our block: it announces none that it has from us, so no one knows how far it is. */
function differenceText(difference: number, t: Text): string {
  if (difference === 0) return t('ui.node.peer.same')
  return t(difference > 0 ? 'ui.node.peer.ahead' : 'ui.node.peer.behind', { count: Math.abs(difference) })
}

function AddressCell({ peer: { host, port, enode } }: { readonly peer: PeerView }) {
  const t = useText()
  const address = `${bracketed(host)}:${port}`
  return (
    <td data-label={t('ui.node.peer.address')}>
      <bdi>{address}</bdi>
      <CopyButton text={enode} label={t('ui.node.enode')} />
    </td>
  )
}

function PeerActions({ peer, run }: Omit<PeerRowProps, 'canControl'>) {
  const t = useText()
  const { backend } = useEnvironment()
  const { id, isTrusted } = peer
  const name = peer.client || peer.host
  return (
    <span className={styles.rowActions}>
      <Button
        size="small"
        variant="quiet"
        needsContact
        aria-label={t(isTrusted ? 'ui.node.peer.untrustName' : 'ui.node.peer.trustName', { name })}
        onClick={() => run(() => backend.call('node.trustPeer', { id, isTrusted: !isTrusted }))}
      >
        {t(isTrusted ? 'ui.node.peer.untrust' : 'ui.node.peer.trust')}
      </Button>
      <Button
        size="small"
        variant="quiet"
        needsContact
        aria-label={t('ui.node.peer.dropName', { name })}
        onClick={() => run(() => backend.call('node.removePeer', { id }))}
      >
        {t('ui.node.peer.drop')}
      </Button>
      <Button
        size="small"
        variant="quiet"
        needsContact
        aria-label={t('ui.node.peer.banName', { name })}
        onClick={() => run(() => backend.call('node.banPeer', { id }))}
      >
        {t('ui.node.peer.ban')}
      </Button>
    </span>
  )
}

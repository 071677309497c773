// One row per peer: who it is, what it has, its latency, and its traffic.
import { Fragment } from 'react'
import { bracketed } from '../../../../../base/ip-address'
import type { PeerView } from '../../../../../contract/network'
import { Failure } from '../../../components/faults/Failure'
import { ScrollRegion } from '../../../components/layout/ScrollRegion'
import table from '../../../components/tables/Table.module.css'
import { CopyButton, ForeignText } from '../../../components/values/HexText'
import { UNKNOWN } from '../../../format/formatter'
import { type Text, useFormat, useText } from '../../../i18n/text'
import { type Attempt, useAttempt } from '../../../state/answers/use-attempt'
import { useEnvironment, useNode } from '../../../state/environment'
import { Button } from '../../../widgets/controls/Button'
import { Age } from '../../../widgets/facts/Age'
import { Value } from '../../../widgets/facts/Value'
import styles from '../Node.module.css'

interface PeerTableProps {
  readonly peers: readonly PeerView[]
  readonly canControl: boolean
}

const headings = ['name', 'direction', 'address', 'head', 'latency', 'since', 'traffic'] as const

export function PeerTable({ peers, canControl }: PeerTableProps) {
  const t = useText()
  const { failure, run } = useAttempt()
  return (
    <>
      <ScrollRegion className={table.scroll} label={t('ui.node.tab.peers')}>
        <table className={`${table.table} ${styles.peers}`}>
          <thead>
            <tr>
              {headings.map((name) => (
                <th key={name} scope="col">
                  {t(`ui.node.peer.${name}`)}
                </th>
              ))}
              <th scope="col">
                <span className="visually-hidden">{t('ui.gpus.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {peers.map((peer) => (
              <PeerRow key={peer.id} peer={peer} canControl={canControl} run={run} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
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
  const t = useText()
  const format = useFormat()
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

/** `headframe/0.1.0/linux-x64/node20`: may break after each slash. */
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

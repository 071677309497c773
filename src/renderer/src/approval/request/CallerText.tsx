// Who is asking: its own claims marked as such, and what the system reports about the program.
import { House, SquareTerminal } from 'lucide-react'
import type { CallerView } from '../../../../contract/signer'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import styles from '../Approval.module.css'

/** Characters of a caller's claims about itself, and of a path. */
const MAX_CHARACTERS = 200

export function CallerText({ caller }: { readonly caller: CallerView }) {
  const Icon = caller.transport === 'app' ? House : SquareTerminal
  return (
    <div className={styles.caller} data-testid="approval-caller">
      <span className={styles.callerIcon}>
        <Icon aria-hidden="true" />
      </span>
      <CallerName caller={caller} as="p" />
    </div>
  )
}

/** The program, where the system reports it; else the name that it gives itself, or that none was given. Then the rest. */
export function CallerName({ caller, as: Name }: { readonly caller: CallerView; readonly as: 'h2' | 'p' }) {
  const t = useText()
  const { transport, remote, origin, userAgent, process } = caller
  if (transport === 'app')
    return (
      <div className={styles.callerName}>
        <Name>{t('ui.approval.thisApplication')}</Name>
        <span className={styles.note}>{t('ui.approval.callerApp')}</span>
      </div>
    )
  const claims = [origin, userAgent].filter((text) => text !== '')
  const claimed = process === null ? claims[0] : undefined
  const more = process === null ? claims.slice(1) : claims
  const place = t(isHere(caller) ? 'ui.approval.callerHere' : 'ui.approval.callerRemote')
  return (
    <div className={styles.callerName}>
      <Name>
        {process !== null ? (
          <ProcessText process={process} />
        ) : claimed === undefined ? (
          t('ui.approval.noName')
        ) : (
          <ForeignText text={claimed.slice(0, MAX_CHARACTERS)} />
        )}
        {claimed !== undefined && <span className={styles.claim}>{t('ui.approval.asTold')}</span>}
      </Name>
      {more.map((text) => (
        <span key={text} className={styles.note}>
          <ForeignText text={text.slice(0, MAX_CHARACTERS)} /> {t('ui.approval.asTold')}
        </span>
      ))}
      <span className={styles.note}>
        <ForeignText text={`${transport} ${remote}`} />, {place}
      </span>
    </div>
  )
}

/** What the system reports; a hint, not a proof. */
function ProcessText({ process }: { readonly process: NonNullable<CallerView['process']> }) {
  const t = useText()
  const { name, pid, path = '' } = process
  const text = `${name.slice(0, MAX_CHARACTERS)} ${t('ui.approval.process', { pid: String(pid) })}`
  return (
    <span data-testid="approval-process" title={path === '' ? undefined : path}>
      <ForeignText text={path === '' ? text : `${text} ${path.slice(0, MAX_CHARACTERS)}`} />
    </span>
  )
}

/** A local socket or a loopback address. */
function isHere({ transport, remote }: CallerView): boolean {
  return transport === 'ipc' || /^(?:\[?::ffff:)?127\.|^\[?::1\]?:/.test(remote)
}

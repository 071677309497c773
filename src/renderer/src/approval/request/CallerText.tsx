// Who is asking; marks what is only the caller's own claim.
import type { CallerView } from '../../../../contract/signer'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import styles from '../Approval.module.css'

/** Characters of a caller's claims about itself, and of a path. */
const MAX_CHARACTERS = 200

export function CallerText({ caller }: { readonly caller: CallerView }) {
  const t = useText()
  if (caller.transport === 'app')
    return (
      <p className={styles.caller} data-testid="approval-caller">
        {t('ui.approval.callerApp')}
      </p>
    )
  const told = [caller.userAgent, caller.origin].filter((text) => text !== '')
  const isUnknown = told.length === 0 && caller.process === null
  return (
    <div className={styles.caller} data-testid="approval-caller">
      <p>
        {t('ui.approval.requestedBy')}{' '}
        {isUnknown && (
          <strong>{t(isHere(caller) ? 'ui.approval.callerUnknown' : 'ui.approval.callerUnknownRemote')} </strong>
        )}
        <ForeignText text={`${caller.transport} ${caller.remote}`} />
      </p>
      {caller.process !== null && <ProcessText process={caller.process} />}
      {told.length > 0 && (
        <p className={styles.note}>
          {told.map((text) => (
            <span key={text} className={styles.told}>
              <ForeignText text={text.slice(0, MAX_CHARACTERS)} />
            </span>
          ))}
          {t('ui.approval.asTold')}
        </p>
      )}
    </div>
  )
}

function ProcessText({ process }: { readonly process: NonNullable<CallerView['process']> }) {
  const t = useText()
  const { name, pid, path = '' } = process
  return (
    <p data-testid="approval-process">
      <strong>
        <ForeignText text={name.slice(0, MAX_CHARACTERS)} />
      </strong>{' '}
      <span className={styles.told}>{t('ui.approval.process', { pid: String(pid) })}</span>
      {path !== '' && (
        <code>
          <ForeignText text={path.slice(0, MAX_CHARACTERS)} />
        </code>
      )}
    </p>
  )
}

/** A local socket or a loopback address. */
function isHere({ transport, remote }: CallerView): boolean {
  return transport === 'ipc' || /^(?:\[?::ffff:)?127\.|^\[?::1\]?:/.test(remote)
}

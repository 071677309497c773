// Who asks, with what is only the caller's own word marked as such.
import type { CallerView } from '../../../contract/signer'
import { ForeignText } from '../components/HexText'
import { useText } from '../i18n/text'
import styles from './Approval.module.css'

export function CallerText({ caller }: { readonly caller: CallerView }) {
  const t = useText()
  if (caller.transport === 'app')
    return (
      <p className={styles.caller} data-testid="approval-caller">
        {t('ui.approval.callerApp')}
      </p>
    )
  const told = [caller.userAgent, caller.origin].filter((text) => text !== '')
  return (
    <div className={styles.caller} data-testid="approval-caller">
      <p>
        {t('ui.approval.requestedBy')} {told.length === 0 && <strong>{t('ui.approval.callerUnknown')} </strong>}
        <ForeignText text={`${caller.transport} ${caller.remote}`} />
        {caller.process !== null && (
          <>
            {' '}
            <span data-testid="approval-process">
              <ForeignText text={`${caller.process.name} (${caller.process.pid})`} />
            </span>
          </>
        )}
      </p>
      {told.length > 0 && (
        <p className={styles.note}>
          {told.map((text) => (
            <span key={text} className={styles.told}>
              <ForeignText text={text.slice(0, 200)} />
            </span>
          ))}
          {t('ui.approval.asTold')}
        </p>
      )}
    </div>
  )
}

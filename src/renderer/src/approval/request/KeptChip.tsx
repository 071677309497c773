// Accounts that stay unlocked for some minutes, with the time left and a way to lock them now.
import { LockOpen } from 'lucide-react'
import { useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-answer'
import { useEnvironment, useLiveNow, useSigner } from '../../state/environment'
import { Button, Failure } from '../../widgets/controls/Button'
import { clockText, secondsUntil } from '../../widgets/facts/Countdown'
import styles from './KeptChip.module.css'

/** Renders nothing while all accounts are locked. */
export function KeptChip() {
  const count = useSigner((state) => state.switches?.unlocked.length ?? 0)
  return count === 0 ? null : <OpenChip />
}

function OpenChip() {
  const t = useText()
  const { backend } = useEnvironment()
  const { failure, run } = useAttempt()
  const now = useLiveNow()
  const count = useSigner((state) => state.switches?.unlocked.length ?? 0)
  const until = useSigner((state) => Math.max(0, ...(state.switches?.unlocked ?? []).map((each) => each.until)))
  return (
    <span className={styles.chip} data-testid="kept-open" data-value={count}>
      <LockOpen aria-hidden="true" />
      <span>{t('ui.approval.keptOpen', { count, time: clockText(secondsUntil(until, now)) })}</span>
      <Button size="small" data-testid="lock-now" onClick={() => run(() => backend.call('signer.lockKept', {}))}>
        {t('ui.approval.lockNow')}
      </Button>
      <Failure text={failure} />
    </span>
  )
}

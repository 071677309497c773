// Requests that wait for a decision: how many, and the first one. They are decided elsewhere.

import { Card } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useApp, useSigner } from '../../state/environment'
import { selectCanApprove } from '../../state/stores/app-store'
import { selectFirstWaiting, selectWaitingCount } from '../../state/stores/signer-store'
import styles from './Overview.module.css'

const LONGEST_NAME = 60

/** Renders nothing while none waits. */
export function WaitingCard() {
  const t = useText()
  const count = useSigner(selectWaitingCount)
  const first = useSigner(selectFirstWaiting)
  const canApprove = useApp(selectCanApprove)
  const isHeadless = useApp((state) => state.info?.headless ?? true)
  if (count === 0) return null
  return (
    <Card
      title={t('ui.approval.waiting', { count })}
      className={styles.wide}
      testId="waiting"
      aside={
        canApprove &&
        first !== undefined && (
          <a className={styles.link} href={hrefOf(`/accounts/approvals/${first.id}`)}>
            {t('ui.approval.review')}
          </a>
        )
      }
    >
      {first === undefined ? (
        <p className={styles.hint}>{t(isHeadless ? 'ui.approval.atTheMachine' : 'ui.approval.inWindow', { count })}</p>
      ) : (
        <p>
          {t(`ui.overview.request.${first.kind}`)} <ForeignText text={nameOf(first.caller)} />
        </p>
      )}
    </Card>
  )
}

/** The caller as far as it is known: the program, what it calls itself, or where it is. */
function nameOf({ process, userAgent, origin, remote, transport }: CallerNames): string {
  const name = process === null ? userAgent || origin || remote || transport : `${process.name} (${process.pid})`
  return `(${name.slice(0, LONGEST_NAME)})`
}

interface CallerNames {
  readonly process: { readonly pid: number; readonly name: string } | null
  readonly userAgent: string
  readonly origin: string
  readonly remote: string
  readonly transport: string
}

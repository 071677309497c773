// The button that signs. It has no click handler: only a real press counts, begun and ended while armed.
import type { KeyboardEvent, PointerEvent, SyntheticEvent } from 'react'
import { useText } from '../../i18n/text'
import styles from '../Approval.module.css'
import { type ApprovalMachine, type ApprovalSnapshot, HOLD_MS } from '../machine'

/** Made by the user, not by a script. */
export type IsTrusted = (event: SyntheticEvent) => boolean

export const isTrustedEvent: IsTrusted = (event) => event.nativeEvent.isTrusted

interface ApproveButtonProps {
  readonly machine: ApprovalMachine
  readonly snapshot: ApprovalSnapshot
  readonly label: string
  /** What is still missing; empty when nothing is. */
  readonly missing: string
  readonly isCritical: boolean
  readonly isHold: boolean
  readonly isTrusted: IsTrusted
  readonly onApprove: () => void
  /** Not everything was read: a press shows what comes next. */
  readonly onReadOn?: (() => void) | undefined
}

export function ApproveButton(props: ApproveButtonProps) {
  const { machine, snapshot, label, missing, isCritical, isHold, isTrusted, onApprove, onReadOn } = props
  const t = useText()
  const isOff = snapshot.phase !== 'armed' || missing !== ''
  const release = (event: SyntheticEvent): void => {
    if (onReadOn !== undefined) onReadOn()
    else if (isTrusted(event) && machine.pressEnd()) onApprove()
  }
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button === 0 && isTrusted(event)) machine.pressStart()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    if (!event.repeat && isTrusted(event)) machine.pressStart()
  }
  const onKeyUp = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || event.key === ' ') release(event)
  }
  return (
    <button
      type="button"
      className={`${styles.approve} ${isCritical ? styles.approveCritical : ''} ${onReadOn === undefined ? '' : styles.readOn}`}
      data-testid="approval-approve"
      data-state={snapshot.phase}
      aria-disabled={isOff || undefined}
      aria-describedby="approval-missing"
      onPointerDown={onPointerDown}
      onPointerUp={release}
      onPointerLeave={() => machine.cancelPress()}
      onPointerCancel={() => machine.cancelPress()}
      onKeyDown={onKeyDown}
      onKeyUp={onKeyUp}
      onBlur={() => machine.cancelPress()}
      onContextMenu={(event) => event.preventDefault()}
    >
      {snapshot.phase === 'settling' && <Ring key={snapshot.round} durationMs={snapshot.settleMs} />}
      {snapshot.isHeld && isHold && <Ring durationMs={HOLD_MS} />}
      <span>{snapshot.phase === 'submitting' ? t('ui.approval.submitting') : label}</span>
    </button>
  )
}

/** Fills once over `durationMs`. With reduced motion, the button's own label says it in words. */
function Ring({ durationMs }: { readonly durationMs: number }) {
  return (
    <svg className={styles.ring} viewBox="0 0 20 20" aria-hidden="true">
      <circle cx="10" cy="10" r="8" />
      <circle cx="10" cy="10" r="8" pathLength="1" style={{ animationDuration: `${durationMs}ms` }} />
    </svg>
  )
}

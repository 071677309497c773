// Rejects several at once.
import { useState } from 'react'
import { useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-answer'
import { Button, Failure } from '../../widgets/controls/Button'

const rejectKeys = {
  all: { testId: 'approval-reject-all', ask: 'ui.approval.rejectAll', confirm: 'ui.approval.rejectAllConfirm' },
  caller: {
    testId: 'approval-reject-caller',
    ask: 'ui.approval.rejectCaller',
    // Without a number: more of the caller's may wait than are shown.
    confirm: 'ui.approval.rejectCallerConfirm',
  },
  table: { testId: 'together-reject', ask: 'ui.approval.rejectAll', confirm: 'ui.approval.rejectAllConfirm' },
} as const

interface RejectAllProps {
  readonly scope: keyof typeof rejectKeys
  readonly count: number
  readonly onRejectAll: () => Promise<unknown>
}

/** Asks for confirmation before several are rejected. */
export function RejectAll({ scope, count, onRejectAll }: RejectAllProps) {
  const t = useText()
  const { failure, run } = useAttempt()
  const [isAsked, setAsked] = useState(false)
  const { testId, ask, confirm } = rejectKeys[scope]
  return (
    <>
      <Button
        variant={isAsked ? 'dangerQuiet' : 'normal'}
        data-testid={testId}
        onClick={() => (isAsked || count === 1 ? run(onRejectAll) : setAsked(true))}
      >
        {t(isAsked ? confirm : ask, { count })}
      </Button>
      <Failure text={failure} />
    </>
  )
}

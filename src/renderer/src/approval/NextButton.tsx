// After a decision: continue with the next waiting request, or leave.
import { useText } from '../i18n/text'
import { Button } from '../widgets/controls/Button'

export function NextButton({ waitingCount, onNext }: { readonly waitingCount: number; readonly onNext: () => void }) {
  const t = useText()
  return (
    <Button data-testid="approval-next" onClick={onNext}>
      {waitingCount > 0 ? t('ui.approval.next', { count: waitingCount }) : t('ui.common.close')}
    </Button>
  )
}

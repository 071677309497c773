// Text of a caller's that may be long: its begin first, the rest when it is asked for.
import { useState } from 'react'
import { Button } from '../components/Button'
import { ForeignText } from '../components/HexText'
import { useText } from '../i18n/text'

/** Characters that are shown before the rest is asked for (ui.md 4.4). */
const SHOWN_FIRST = 64 * 1024

export interface LongTextProps {
  readonly text: string
  readonly testId: string
  readonly className?: string | undefined
}

export function LongText({ text, testId, className }: LongTextProps) {
  const t = useText()
  const [isWhole, setWhole] = useState(false)
  const isCut = !isWhole && text.length > SHOWN_FIRST
  return (
    <>
      <pre data-testid={testId} className={className}>
        <ForeignText text={isCut ? text.slice(0, SHOWN_FIRST) : text} keepLines />
      </pre>
      {isCut && <Button onClick={() => setWhole(true)}>{t('ui.severity.showAll', { count: text.length })}</Button>}
    </>
  )
}

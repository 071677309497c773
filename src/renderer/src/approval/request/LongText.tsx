// A caller's text that may be long: its beginning first, the rest on demand.
import { useState } from 'react'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { Button } from '../../widgets/controls/Button'
import styles from './LongText.module.css'

/** Characters shown before the rest is expanded. */
const SHOWN_FIRST = 64 * 1024
/** Lines that get their own element. The rest is one block, since a caller can send a million lines. */
const MAX_LINES = 2_000

interface LongTextProps {
  readonly text: string
  readonly testId: string
  readonly className?: string | undefined
  readonly hasNumbers?: boolean
  /** The text must be read: while part of it is hidden, the request doesn't count as read to its end. */
  readonly isToBeRead?: boolean
  readonly shownFirst?: number
}

export function LongText(props: LongTextProps) {
  const { text, testId, className, hasNumbers = false, isToBeRead = false, shownFirst = SHOWN_FIRST } = props
  const t = useText()
  const [isWhole, setWhole] = useState(false)
  const isCut = !isWhole && text.length > shownFirst
  const shown = isCut ? text.slice(0, shownFirst) : text
  return (
    <>
      <pre data-testid={testId} className={className}>
        {hasNumbers ? <NumberedLines text={shown} /> : <ForeignText text={shown} keepLines />}
      </pre>
      {isCut && (
        <div {...(isToBeRead ? { 'data-cut': '' } : {})}>
          <Button onClick={() => setWhole(true)}>{t('ui.severity.showAll', { count: text.length })}</Button>
        </div>
      )}
    </>
  )
}

/** The numbers aren't part of the text: they are neither copied nor read out. */
function NumberedLines({ text }: { readonly text: string }) {
  const lines = text.split('\n')
  const numbered = lines.length > MAX_LINES ? lines.slice(0, MAX_LINES) : lines
  const rest = lines.slice(numbered.length).join('\n')
  return (
    <>
      {numbered.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one constant text have no other identity
        <span key={index} className={styles.line} data-line={index + 1}>
          <ForeignText text={line} />
          {index < lines.length - 1 && '\n'}
        </span>
      ))}
      {rest !== '' && <ForeignText text={rest} keepLines />}
    </>
  )
}

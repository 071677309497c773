// Why an action failed, where it was pressed.
import { ForeignText } from '../values/HexText'
import styles from './Failure.module.css'

interface FailureProps {
  /** Empty: nothing is shown. */
  readonly text: string
  readonly testId?: string
}

export function Failure({ text, testId }: FailureProps) {
  if (text === '') return null
  return (
    <p className={styles.failure} role="alert" data-testid={testId} data-state="failed">
      <ForeignText text={text} />
    </p>
  )
}

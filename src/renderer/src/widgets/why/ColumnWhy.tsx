// The names of a table's columns as buttons: the pressed one says above the table what its figures are.
import { type ReactNode, useState } from 'react'
import { Because, WhyButton } from '../../components/layout/Card'
import styles from './Why.module.css'

/** @returns `heading` names a column; `because` is what the pressed one means, as `explain` says, and goes above the table */
export function useColumnWhy<Column extends string>(explain: (column: Column) => ReactNode) {
  const [explained, setExplained] = useState<Column | null>(null)
  return {
    heading: (column: Column, name: string): ReactNode => (
      <WhyButton isOpen={explained === column} onToggle={() => setExplained(explained === column ? null : column)}>
        {name}
      </WhyButton>
    ),
    because: explained !== null && (
      <div className={styles.column}>
        <Because key={explained}>{explain(explained)}</Because>
      </div>
    ),
  }
}

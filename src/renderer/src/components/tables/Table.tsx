// A table with one row of headings, in a region that scrolls separately.
import type { ReactNode } from 'react'
import { ScrollRegion } from '../layout/ScrollRegion'
import look from './Table.module.css'

interface Heading {
  readonly text: ReactNode
  readonly className?: string | undefined
}

interface TableHeadProps {
  readonly headings: readonly (string | Heading)[]
  readonly className?: string | undefined
}

interface TableProps extends TableHeadProps {
  /** Names the region. */
  readonly label: string
  /** In place of the usual look. */
  readonly region?: string | undefined
  readonly testId?: string
  /** The rows. */
  readonly children: ReactNode
}

export function Table({ label, headings, region, className, testId, children }: TableProps) {
  return (
    <ScrollRegion className={region ?? look.scroll} label={label}>
      <table className={className ?? (region === undefined ? look.table : undefined)} data-testid={testId}>
        <TableHead headings={headings} />
        <tbody>{children}</tbody>
      </table>
    </ScrollRegion>
  )
}

export function TableHead({ headings, className: headClass }: TableHeadProps) {
  const columns = headings.map((heading): Heading => (typeof heading === 'string' ? { text: heading } : heading))
  return (
    <thead className={headClass}>
      <tr>
        {columns.map(({ text, className }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a column's place is its name
          <th key={place} scope="col" className={className}>
            {text}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Over numbers. */
export const numberHeading = (text: ReactNode): Heading => ({ text, className: look.number })

/** For screen readers alone. */
export const hiddenHeading = (text: string): Heading => ({ text: <span className="visually-hidden">{text}</span> })

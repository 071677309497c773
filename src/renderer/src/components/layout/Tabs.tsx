// Parts of a screen, each with its own address.
import styles from './Tabs.module.css'

export interface TabsProps {
  readonly label: string
  readonly tabs: readonly {
    readonly name: string
    readonly href: string
    readonly title: string
    readonly testId: string
  }[]
  /** The name of the one that is shown; null = none of them. */
  readonly active: string | null
}

export function Tabs({ label, tabs, active }: TabsProps) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ name, href, title, testId }) => (
        <a key={name} href={href} aria-current={name === active ? 'page' : undefined} data-testid={testId}>
          {title}
        </a>
      ))}
    </nav>
  )
}

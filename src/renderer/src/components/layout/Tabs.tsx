// Parts of a screen, each with its own address.
import styles from './Tabs.module.css'

interface TabsProps {
  readonly label: string
  readonly tabs: readonly {
    readonly name: string
    readonly href: string
    readonly title: string
    readonly testId: string
  }[]
  /** The selected part; null = none. */
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

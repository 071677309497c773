// How long to pause: a short menu beside the pause button.
import { ChevronDown } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useText } from '../../i18n/text'
import type { PauseTarget } from '../../state/controls'
import { useCanControl, useControl, useEnvironment, useIsOpen } from '../../state/environment'
import styles from './PauseFor.module.css'

const lengths = [
  { name: 'for10m', seconds: 600 },
  { name: 'for1h', seconds: 3600 },
  { name: 'until', seconds: null },
] as const

interface PauseForProps {
  readonly target: PauseTarget
  /** The device's name, for the button's accessible name. */
  readonly name: string
  readonly testId: string
  /** With a text beside the mark, where no pause button precedes it. */
  readonly label?: string
}

/** Nothing without control or contact, or while an answer is awaited. */
export function PauseFor({ target, name, testId, label }: PauseForProps) {
  const t = useText()
  const { controls } = useEnvironment().stores
  const control = useControl(target)
  const canControl = useCanControl()
  const isOpen = useIsOpen()
  if (!canControl || !isOpen || control.kind === 'pending') return null
  const more = t('ui.pause.more', { name })
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        className={label === undefined ? styles.trigger : styles.worded}
        data-testid={testId}
        // The accessible name begins with the visible text.
        aria-label={label === undefined ? more : `${label}: ${more}`}
      >
        {label}
        <ChevronDown aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={styles.menu} align="end" sideOffset={4}>
          {lengths.map(({ name: length, seconds }) => (
            <DropdownMenu.Item
              key={length}
              className={styles.item}
              data-testid={`${testId}-${length}`}
              onSelect={() => void controls.press(target, true, seconds)}
            >
              {t(`ui.pause.${length}`)}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

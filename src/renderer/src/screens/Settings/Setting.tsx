// One setting: its name and what it does, and beside them how to change it.
import { type ReactNode, useId } from 'react'
import styles from './Settings.module.css'

interface SettingProps {
  readonly label: string
  readonly text?: string
  readonly children: ReactNode
}

export function Setting({ label, text, children }: SettingProps) {
  return (
    <div className={styles.option}>
      <div className={styles.what}>
        <h3>{label}</h3>
        {text !== undefined && <p className={styles.help}>{text}</p>}
      </div>
      <div className={styles.how}>{children}</div>
    </div>
  )
}

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

export function Switch({ label, isOn, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className={styles.option}>
      <label htmlFor={id} className={styles.what}>
        {label}
      </label>
      <div className={styles.how}>
        <input
          id={id}
          type="checkbox"
          className={styles.toggle}
          checked={isOn}
          onChange={(event) => onChange(event.target.checked)}
        />
      </div>
    </div>
  )
}

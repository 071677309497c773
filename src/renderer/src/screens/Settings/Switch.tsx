// A yes/no setting, as one line.
import styles from './Settings.module.css'

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

export function Switch({ label, isOn, onChange }: SwitchProps) {
  return (
    <label className={styles.switch}>
      <span>{label}</span>
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
    </label>
  )
}

// One of a few choices, each with its meaning.
import { useId } from 'react'
import styles from './Welcome.module.css'

interface OptionsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly title: string; readonly text: string }[]
  readonly onChange: (value: T) => void
}

export function Options<T extends string>({ label, value, options, onChange }: OptionsProps<T>) {
  const name = useId()
  return (
    <fieldset className={styles.options}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option} data-testid={`welcome-${option.value}`}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            aria-describedby={`${name}-${option.value}`}
            onChange={() => onChange(option.value)}
          />
          <span>
            <strong>{option.title}</strong>
            <span id={`${name}-${option.value}`} className={styles.text}>
              {option.text}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

// Rounding and SI prefixes on decimal digits, so that 99.995 rounds as written and not as the nearest binary number.

/** `value` to `places` decimals, half away from zero, based on its shortest decimal text. */
export function roundDecimal(value: number, places: number): number {
  const text = String(Math.abs(value))
  if (text.includes('e')) return Math.abs(value) < 1 ? 0 : value
  const rounded = Number(`${Math.round(Number(`${text}e${places}`))}e-${places}`)
  return value < 0 ? -rounded : rounded
}

interface Scaled {
  readonly value: number
  /** Decimals to show. */
  readonly places: number
  /** Index into the list of prefixes. */
  readonly step: number
}

export interface ScaleRule {
  /** 1000 for SI, 1024 for IEC. */
  readonly base: number
  /** How many prefixes exist, the bare unit included. */
  readonly steps: number
  /** Decimals without a prefix. */
  readonly barePlaces: number
}

/** Picks prefix and decimals: 2 below 100, 1 above; the next prefix when rounding reaches the base. */
export function scale(value: number, rule: ScaleRule): Scaled {
  let step = 0
  let scaled = value
  while (step < rule.steps - 1 && scaled >= rule.base) {
    scaled /= rule.base
    step += 1
  }
  const rounded = roundAt(scaled, step, rule)
  if (rounded.value >= rule.base && step < rule.steps - 1) return roundAt(scaled / rule.base, step + 1, rule)
  return rounded
}

/** `value` with the prefix `step`, whatever its size; used where a column or an axis shares one unit. */
export function scaleTo(value: number, step: number, rule: ScaleRule): Scaled {
  return roundAt(value / rule.base ** step, step, rule)
}

function roundAt(value: number, step: number, rule: ScaleRule): Scaled {
  if (step === 0) return { value: roundDecimal(value, rule.barePlaces), places: rule.barePlaces, step }
  const fine = roundDecimal(value, 2)
  if (fine < 100) return { value: fine, places: 2, step }
  return { value: roundDecimal(value, 1), places: 1, step }
}

// The smallest call that shows the same difference.
import type { Call, Value } from './random-call'

/** Attempts per call: enough for the parts of a random call. */
const MAX_TRIES = 60

/** @param differs asks both programs: whether a call still shows the difference */
export async function minimise(call: Call, differs: (call: Call) => Promise<boolean>): Promise<Call> {
  let best = call
  let tries = 0
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false
    for (const params of smaller(best.params)) {
      if (tries++ >= MAX_TRIES) return best
      const next = { ...best, params }
      if (!(await differs(next))) continue
      best = next
      isSmaller = true
      break
    }
  }
  return best
}

/** The same value with one thing less. */
function* smaller(value: Value | undefined): Generator<Value> {
  if (Array.isArray(value)) {
    if (value.length > 0) yield value.slice(0, -1)
    for (const [at, item] of value.entries())
      for (const less of smaller(item)) yield value.map((each: Value, index) => (index === at ? less : each))
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) {
      const { [name]: _gone, ...rest } = value as { readonly [name: string]: Value }
      yield rest
    }
  }
}

// Values that are read again and again, and rarely differ.

/** The returned function gives back the object before, as long as the content is the same. For what JSON can say. */
export function keepSame<T>(): (value: T) => T {
  const last: { kept: { readonly text: string; readonly value: T } | null } = { kept: null }
  return (value) => {
    const text = JSON.stringify(value)
    if (last.kept?.text !== text) last.kept = { text, value }
    return last.kept.value
  }
}

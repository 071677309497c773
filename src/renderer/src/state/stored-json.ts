// What this device remembers, read as JSON: text that is none counts as nothing remembered.

/** An object; `{}` for anything else. */
export function readJson(text: string | null): unknown {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

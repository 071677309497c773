// What this device stores, parsed as JSON: invalid text counts as nothing stored.

/** An object; `{}` for anything else. */
export function readJson(text: string | null): unknown {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

// Recognizing file system errors by their code.

/** Whether the system failed with one of these codes (`ENOENT`, `EEXIST`, ...). */
export function isSystemCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

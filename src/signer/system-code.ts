// Errors of the file system by their code.

/** Whether the system failed with this code (`ENOENT`, `EEXIST`, ...). */
export function isSystemCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

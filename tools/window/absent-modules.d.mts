export function absentModules(names: readonly string[]): {
  readonly name: string
  readonly enforce: 'pre'
  resolveId(id: string): string | null
  load(id: string): string | null
}

/** The names of a table's rows, in their order. */
export function namesOf<K extends string>(table: Readonly<Record<K, unknown>>): readonly [K, ...K[]] {
  // A literal has no other own members than its type says.
  return Object.keys(table) as [K, ...K[]]
}

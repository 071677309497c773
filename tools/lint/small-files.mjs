// A small file that only one other needs belongs into that one, unless it has a subject of its own: layers.json says which do, and why.

/**
 * Tests and what supports them don't count as importers.
 * @param {{ smallFiles: { lines: number, kept: Record<string, readonly string[]> } }} rules kept: paths by their reason
 * @param {ReadonlyMap<string, { text: string, imports: readonly { target: string | null }[] }>} files the program's, by path
 * @returns {{ path: string, line: number, message: string }[]}
 */
export function checkSmallFiles({ smallFiles }, files) {
  const importers = new Map()
  for (const [path, { imports }] of files)
    for (const { target } of imports)
      if (target !== null) importers.set(target, (importers.get(target) ?? new Set()).add(path))
  const small = new Map()
  for (const [path, { text }] of files) {
    const [importer, ...others] = importers.get(path) ?? []
    const lines = text.split('\n').length - 1
    if (lines < smallFiles.lines && importer !== undefined && others.length === 0) small.set(path, { lines, importer })
  }
  const kept = Object.values(smallFiles.kept).flat()
  const missing = [...small].filter(([path]) => !kept.includes(path))
  const stale = kept.filter((path, place) => !small.has(path) || kept.indexOf(path) !== place)
  return [
    ...missing.map(([path, { lines, importer }]) => {
      const message = `${lines} lines for ${importer} alone: move them there, or name the file in layers.json with its subject`
      return { path, line: 1, message }
    }),
    ...stale.map((path) => ({
      path: 'layers.json',
      line: 1,
      message: `smallFiles: ${path} is none, or is listed twice`,
    })),
  ]
}

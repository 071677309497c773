// A step of the build: which files the dashboard starts with. Left alone the bundler cuts wherever one more screen shares a module,
// and a page then begins with twenty requests, each of which costs a turn of three processes.

/**
 * Groups for the bundler: one file per list of modules, with all that they import statically. A module goes to the first group that
 * reaches it, so no two files import each other. What a page begins with stays out: the other page, which shares the file, would run it.
 * @param {Record<string, readonly string[]>} roots name of each file, and the absolute paths of the modules it is for
 */
export function pageChunks(roots) {
  const reached = Object.keys(roots).map(() => new Set())
  const collect = (seen, id, graph) => {
    if (seen.has(id)) return
    seen.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) collect(seen, imported, graph)
  }
  return Object.entries(roots).map(([name, modules], index) => ({
    priority: Object.keys(roots).length - index,
    debugName: name,
    name: (id, graph) => {
      if (graph.getModuleInfo(id)?.importers.some((importer) => importer.endsWith('.html'))) return null
      const seen = reached[index]
      if (seen.size === 0) for (const module of modules) collect(seen, module, graph)
      return seen.has(id) ? name : null
    },
  }))
}

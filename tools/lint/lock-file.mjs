// Where the lock file says that packages are: at a host that cannot exist, which .npmrc makes npm replace by the registry of whoever
// installs. With an address npm asks for the archive at once; without one it first fetches what the registry knows of each package.

export const NO_HOST = 'https://registry.invalid/'

/** @param {string} text of package-lock.json @returns {string} with every package's place */
export function placed(text) {
  const lock = JSON.parse(text)
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (entry.integrity === undefined) continue
    const name = entry.name ?? path.split('node_modules/').at(-1)
    const { version, resolved: _, ...rest } = entry
    const resolved = `${NO_HOST}${name}/-/${name.split('/').at(-1)}-${version}.tgz`
    const named = entry.name === undefined ? { version } : { name, version }
    lock.packages[path] = {
      ...named,
      resolved,
      ...Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'name')),
    }
  }
  return `${JSON.stringify(lock, null, 2)}\n`
}

/** @param {string} text @returns {{ path: string, line: number, message: string }[]} */
export function checkLockFile(text) {
  if (placed(text) === text) return []
  return [{ path: 'package-lock.json', line: 1, message: `packages not at ${NO_HOST}: run npm run lint -- --fix` }]
}

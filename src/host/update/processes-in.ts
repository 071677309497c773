// Which processes run from a folder, judged by their program or script. Linux only.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { resolve } from 'node:path'

/** Process ids, except this one and its ancestors. For other users' programs only the arguments are visible. */
export function othersIn(folder: string): readonly number[] {
  const own = ancestors()
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => !own.has(pid) && pathsOf(pid).some((path) => path.startsWith(`${folder}/`)))
}

function pathsOf(pid: number): readonly string[] {
  const link = (name: string): string => read(() => readlinkSync(`/proc/${pid}/${name}`))
  const cwd = link('cwd')
  const words = read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
  return [link('exe'), ...words.filter((word) => word.includes('/')).map((word) => resolve(cwd, word))]
}

function ancestors(): ReadonlySet<number> {
  const found = new Set<number>()
  for (let pid = process.pid; pid > 1 && !found.has(pid); ) {
    found.add(pid)
    // "pid (name) state ppid ...": a name may contain blanks and parentheses.
    const stat = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
    pid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
  }
  return found
}

/** Empty for a process that ended meanwhile, or another user's. */
function read(ask: () => string): string {
  try {
    return ask()
  } catch {
    return ''
  }
}

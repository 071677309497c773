// Ends a program with all that it has started, also what is in a group of its own or stopped.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** @param {number} pid */
export function endTree(pid) {
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'])
  else endAll([pid, ...descendantsOf(pid)])
}

/** Of this process: whatever it has started, and that has started. */
export function endDescendants() {
  endAll(descendantsOf(process.pid))
}

/**
 * All below a process, itself left out; none on Windows.
 * @param {number} root
 * @returns {number[]}
 */
export function descendantsOf(root) {
  const children = new Map()
  for (const [pid, parent] of parents()) children.set(parent, [...(children.get(parent) ?? []), pid])
  const below = (pid) => (children.get(pid) ?? []).flatMap((child) => [child, ...below(child)])
  return below(root)
}

/** @returns {number[][]} each process with its parent */
function parents() {
  if (process.platform === 'win32') return []
  if (process.platform === 'linux') return readdirSync('/proc').map(Number).filter(Boolean).flatMap(withParent)
  const { stdout } = spawnSync('ps', ['-axo', 'pid=,ppid='], { encoding: 'utf8' })
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
}

function withParent(pid) {
  try {
    return [[pid, Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)]]
  } catch {
    return [] // it has ended meanwhile
  }
}

function endAll(pids) {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // it has ended meanwhile
    }
  }
}

// What makes two archives of the same files equal bit by bit: one time for every file, fixed modes, sorted names, no owners.
import { spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, lutimesSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run, ToolError } from '../lib/project.mjs'

const SPECIAL_BITS = 0o7000
const RUNNABLE = 0o100
/** 1980-01-01, the first time that a zip file can hold, for sources that no commit dates. */
const NO_COMMIT = 315_532_800

/** The time of every file in a package, in Unix seconds: SOURCE_DATE_EPOCH, else the time of the checked-out commit. */
export function sourceDate() {
  const given = process.env.SOURCE_DATE_EPOCH
  if (given !== undefined && given !== '') {
    if (!/^\d{1,10}$/.test(given)) throw new ToolError(`SOURCE_DATE_EPOCH is not a time in seconds: ${given}`)
    return Number(given)
  }
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' })
  const seconds = Number.parseInt(stdout ?? '', 10)
  return status === 0 && seconds > 0 ? seconds : NO_COMMIT
}

/**
 * Gives everything in a folder that time, and modes that no umask decided: 755 for folders and programs, 644 for the rest. A
 * set-user-id bit stays.
 */
export function fixTree(folder, seconds = sourceDate()) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) fixTree(path, seconds)
    else fixEntry(path, seconds)
  }
  fixEntry(folder, seconds)
}

function fixEntry(path, seconds) {
  const stats = lstatSync(path)
  if (!stats.isSymbolicLink()) {
    const isRunnable = stats.isDirectory() || (stats.mode & RUNNABLE) !== 0
    chmodSync(path, (stats.mode & SPECIAL_BITS & ~0o3000) | (isRunnable ? 0o755 : 0o644))
  }
  lutimesSync(path, seconds, seconds)
}

/**
 * @param {string} file the archive, `.tar.gz`
 * @param {readonly string[]} words further words for tar: what goes in, and how it is renamed
 */
export async function writeTarball(file, words) {
  const fixed = ['--sort=name', '--format=gnu', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
  await must('tar', [...fixed, `--mtime=@${sourceDate()}`, '--use-compress-program=gzip -n -6', '-cf', file, ...words])
}

/**
 * A Debian package of a folder that has its `DEBIAN/control`. The folder's times and modes are fixed first.
 * @param {string} file @param {string} folder @param {readonly string[]} [packing] words for dpkg-deb
 */
export async function writeDeb(file, folder, packing = ['-Zgzip', '-z6']) {
  const seconds = sourceDate()
  fixTree(folder, seconds)
  await must('dpkg-deb', ['--build', '--root-owner-group', ...packing, folder, file], seconds)
}

/** A program that makes an archive, to its end, with the release's time. @throws ToolError with what it said */
export async function must(program, words, seconds = sourceDate()) {
  const { code, output } = await run(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC', SOURCE_DATE_EPOCH: String(seconds) },
  })
  if (code !== 0) throw new ToolError(`${program} could not make the archive: ${output.trim()}`)
}

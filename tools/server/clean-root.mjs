// A clean Debian in a folder, to install packages in: made once by debootstrap, copied for each run. Needs root.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasProgram } from '../lib/debian.mjs'
import { CACHE, run, ToolError } from '../lib/project.mjs'

/** The oldest that packages are for: neither it nor Ubuntu 22.04 has a Node that is new enough. */
const SUITE = 'bookworm'
const MIRROR = 'http://deb.debian.org/debian'

const MOUNTS = 'mount --bind "$root" "$root" && mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev"'
/** The kernel gives user namespaces only to who has the root of its mounts for a root, as on a computer; chroot alone makes another. */
const TO_OWN_ROOT = 'cd "$root" && pivot_root . mnt && umount -l /mnt && root=/ &&'

/** Why there can be none here; null when there can. */
export function whyNoCleanRoot() {
  if (process.platform !== 'linux') return 'Linux only'
  if (process.getuid() !== 0) return 'only root can change its root folder'
  const missing = ['debootstrap', 'dpkg-deb', 'pgrep', 'unshare', 'python3', 'gpg'].find((name) => !hasProgram(name))
  return missing === undefined ? null : `${missing} is missing`
}

export class CleanRoot {
  /** Absolute. */
  folder = join(CACHE, 'clean-root')

  /** @throws ToolError when the system could not be made: no network, for instance */
  async make(log) {
    const base = join(CACHE, `debian-${SUITE}`)
    if (!existsSync(base)) {
      log(`debootstrap ${SUITE}`)
      mkdirSync(CACHE, { recursive: true })
      const partial = `${base}.partial`
      rmSync(partial, { recursive: true, force: true })
      await must('debootstrap', ['--variant=minbase', SUITE, partial, MIRROR])
      renameSync(partial, base)
    }
    this.remove()
    await must('cp', ['-a', base, this.folder])
    await must('cp', ['-L', '/etc/resolv.conf', join(this.folder, 'etc/resolv.conf')])
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /**
   * A command within, to its end; what it printed.
   * @param {{ user?: string, environment?: object, hasNamespaces?: boolean }} [options] as `start` has them
   * @throws ToolError when it fails
   */
  call(words, { user = 'root', ...options } = {}) {
    const { status, stdout, stderr } = spawnSync(...this.#inside(words, { user, ...options }), { encoding: 'utf8' })
    if (status !== 0) throw new ToolError(`${words.join(' ')}: ${status}\n${stdout}${stderr}`)
    return stdout
  }

  /**
   * A command within that goes on; a signal to the child reaches the command itself.
   * @param {{ user: string, environment?: object, hasNamespaces?: boolean }} options `hasNamespaces`: whether users may make user
   * namespaces; on by default
   */
  start(words, options) {
    const [program, args] = this.#inside(words, options)
    return spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  }

  /** Its mounts end with it. */
  #inside(words, { user, environment = {}, hasNamespaces = true }) {
    const { folder } = this
    const set = Object.entries({ PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', ...environment })
    const variables = ['env', '-i', ...set.map(([name, value]) => `${name}=${value}`)]
    const change = hasNamespaces ? TO_OWN_ROOT : ''
    const script = `root=$1 user=$2; shift 2; ${MOUNTS} && ${change} exec chroot --userspec="$user" "$root" "$@"`
    return ['unshare', ['--mount', 'sh', '-c', script, 'sh', folder, user, ...variables, ...words]]
  }
}

async function must(program, words) {
  const { code, output } = await run(program, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  if (code !== 0)
    throw new ToolError(`${program} ended with ${code}: ${output.trim().split('\n').slice(-3).join('; ')}`)
}

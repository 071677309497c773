// update.json of a release: the version, what changed, and its packages, for programs that were allowed to ask (docs/guide/upgrade.md).
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Which files a program can install over itself, by its package kind. The rigs' systems update their own packages. */
const KINDS = [
  { pattern: /^headframe-\d[\w.-]*-linux-(x64|arm64)(?:-test)?\.tar\.gz$/, kind: 'desktop-archive' },
  { pattern: /^headframe-server-\d[\w.-]*-linux-(x64|arm64)\.tar\.gz$/, kind: 'server-archive' },
  { pattern: /^headframe(?:-test)?_\d[\w.~]*_(amd64|arm64)\.deb$/, kind: 'desktop-deb' },
  { pattern: /^headframe-server_\d[\w.~]*_(amd64|arm64)\.deb$/, kind: 'server-deb' },
  { pattern: /^headframe(?:-test)?-\d[\w.~]*-1\.(x86_64|aarch64)\.rpm$/, kind: 'desktop-rpm' },
  { pattern: /^headframe-server-\d[\w.~]*-1\.(x86_64|aarch64)\.rpm$/, kind: 'server-rpm' },
  { pattern: /^headframe-\d[\w.-]*-linux-(x64|arm64)(?:-test)?\.AppImage$/, kind: 'desktop-appimage' },
  { pattern: /^headframe-\d[\w.-]*-windows-(x64)\.zip$/, kind: 'windows-archive', platform: 'win32' },
  { pattern: /^headframe-\d[\w.-]*-windows-(x64)-setup\.exe$/, kind: 'windows-setup', platform: 'win32' },
]
/** Node's names of what packages call otherwise. */
const PROCESSORS = { amd64: 'x64', x86_64: 'x64', aarch64: 'arm64' }
const MAX_CHANGES = 60
const MAX_CHARS = 400

/**
 * @param {{ version: string, folder: string, names: readonly string[], changelog: string }} release `names`: of the files in `folder`
 * @returns {string} JSON
 */
export function updateNotice({ version, folder, names, changelog }) {
  const files = names.flatMap((name) => {
    const found = KINDS.map((kind) => ({ ...kind, match: kind.pattern.exec(name) })).find(({ match }) => match)
    if (found === undefined) return []
    const system = `${found.platform ?? 'linux'}-${PROCESSORS[found.match[1]] ?? found.match[1]}`
    return [{ kind: found.kind, system, name, bytes: statSync(join(folder, name)).size }]
  })
  return `${JSON.stringify({ format: 1, version, changes: changesOf(changelog, version), files }, null, 2)}\n`
}

/** The signed comment; see src/host/update/update-notice.ts. @param {number} seconds since 1970 */
export function updateComment(seconds) {
  return `headframe-update ${seconds}`
}

/** The points of a version's section, one line each; those of the unreleased one where the version has none yet. */
export function changesOf(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1)
  const title = (section) => section.split('\n')[0]
  const section =
    sections.find((each) => new RegExp(`^\\[?${version.replaceAll('.', '\\.')}\\b`).test(title(each))) ??
    sections.find((each) => /^\[?Unreleased/.test(title(each)))
  if (section === undefined) return []
  const points = section.split(/^- /m).slice(1)
  return points
    .map((point) =>
      point
        .split(/\n(?! {2})/)[0]
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .map((point) => (point.length > MAX_CHARS ? `${point.slice(0, MAX_CHARS - 1)}…` : point))
    .slice(0, MAX_CHANGES)
}

/** @param {string} root of the sources */
export function readChangelog(root) {
  return readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
}

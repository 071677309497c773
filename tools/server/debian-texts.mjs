// Texts of the Debian packages: control, changelog, copyright, completion, manual page.
import { execFileSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import { manifest } from '../lib/packages.mjs'
import { ToolError } from '../lib/project.mjs'
import { sourceDate } from '../release/fixed-tree.mjs'
import { PACKAGE } from './maintainer-scripts.mjs'

export const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' }
/** First version of Debian's libstdc++6 with each version of its symbols. */
const LIBSTDCXX = { 28: '9', 29: '11', 30: '12', 31: '13.1', 32: '13.2', 33: '14', 34: '15' }
const COMPLETIONS = {
  bash: 'usr/share/bash-completion/completions/headframe',
  zsh: 'usr/share/zsh/vendor-completions/_headframe',
  fish: 'usr/share/fish/vendor_completions.d/headframe.fish',
}
export const SUMMARY = 'miner, chain node and signer for the Parallax chain, without a window'
/** Of the server package, by line; an empty one parts paragraphs. */
export const DESCRIPTION = [
  'Headframe is a miner, chain node and signer for the Parallax proof-of-work',
  'chain. This package is for servers and rigs: it brings its own Node, needs no',
  'graphical libraries, and serves its dashboard to a browser.',
  '',
  'Node, miner and signer are separate services (headframe-node,',
  'headframe-miner, headframe-signer), each with its own user and folder. None',
  'of them starts until you enable it.',
]
const MAX_TEXT_BYTES = 10_000_000
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `1.2.0-rc.1` sorts before `1.2.0` in Debian too. @param {string} version semantic version */
export function debianVersion(version) {
  return version.replace('-', '~').replaceAll('-', '.')
}

/** Of the packager, as Debian's own tools take it: DEBFULLNAME and DEBEMAIL. */
export function maintainer(environment = process.env) {
  const { DEBFULLNAME: name = 'Headframe', DEBEMAIL: address } = environment
  return { text: `${name} <${address ?? 'packages@localhost'}>`, isNamed: address !== undefined }
}

/**
 * What the natives need of the C libraries, read from the versions of symbols that they name.
 * @param {readonly Uint8Array[]} natives contents of the files
 */
export function libraryNeeds(natives) {
  const text = Buffer.concat(natives).toString('latin1')
  const newest = (pattern) => Math.max(...[...text.matchAll(pattern)].map(([, minor]) => Number(minor)))
  const libc = newest(/GLIBC_2\.(\d+)/g)
  const compiler = newest(/GLIBCXX_3\.4\.(\d+)/g)
  const [oldest] = Object.keys(LIBSTDCXX).map(Number)
  const libstdcxx = LIBSTDCXX[Math.max(compiler, oldest)]
  if (libstdcxx === undefined) throw new ToolError(`no Debian version is known for GLIBCXX_3.4.${compiler}`)
  return [`libc6 (>= 2.${libc})`, 'libgcc-s1 (>= 3.0)', `libstdc++6 (>= ${libstdcxx})`]
}

/** @param {{ architecture: string, kibibytes: number, needs: readonly string[] }} facts `needs`: of libraryNeeds */
export function controlText({ architecture, kibibytes, needs }) {
  const { version, homepage } = manifest('.')
  const depends = ['adduser', 'debconf (>= 0.5) | debconf-2.0', ...needs]
  return [
    `Package: ${PACKAGE}`,
    `Version: ${debianVersion(version)}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer().text}`,
    `Installed-Size: ${kibibytes}`,
    `Depends: ${depends.join(', ')}`,
    'Recommends: ca-certificates',
    'Suggests: libusb-1.0-0, ocl-icd-libopencl1, prometheus',
    'Conflicts: headframe',
    'Section: net',
    'Priority: optional',
    ...(homepage === undefined ? [] : [`Homepage: ${homepage}`]),
    `Description: ${SUMMARY}`,
    ...DESCRIPTION.map((line) => ` ${line || '.'}`),
    '',
  ].join('\n')
}

/**
 * Debian's form, for this version alone; all changes are in the CHANGELOG.md beside it.
 * @param {number} date seconds since 1970
 * @param {string} name of the package
 */
export function changelogText(date, name = PACKAGE) {
  const { version } = manifest('.')
  const at = new Date(date * 1_000)
  const two = (value) => String(value).padStart(2, '0')
  const day = `${DAYS[at.getUTCDay()]}, ${two(at.getUTCDate())} ${MONTHS[at.getUTCMonth()]} ${at.getUTCFullYear()}`
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(':')
  const lines = [
    `${name} (${debianVersion(version)}) unstable; urgency=medium`,
    '',
    `  * Headframe ${version}. What changed: CHANGELOG.md.gz in this folder.`,
    '',
    ` -- ${maintainer().text}  ${day} ${time} +0000`,
    '',
  ]
  return lines.join('\n')
}

/**
 * Machine-readable.
 * @param {number} date seconds since 1970
 * @param {string} licences where the other packages' licenses lie
 */
export function copyrightText(date, licences = `/usr/share/doc/${PACKAGE}/LICENSES.third-party.txt.gz`) {
  return [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    'Upstream-Name: Headframe',
    'Comment: Bundled packages and the full texts of their licenses are listed in',
    ` ${licences}.`,
    '',
    'Files: *',
    `Copyright: ${new Date(date * 1_000).getUTCFullYear()} The Headframe authors`,
    'License: Apache-2.0',
    ' On Debian systems the full text of the Apache License 2.0 is in',
    ' /usr/share/common-licenses/Apache-2.0.',
    '',
  ].join('\n')
}

/**
 * Files that a shell and man(1) look for, made by the program itself.
 * @param {string} door the program's front door, which plain Node runs
 * @returns {ReadonlyMap<string, Buffer>} content by path below the system's root
 */
export function commandFiles(door) {
  const made = (...words) =>
    execFileSync(process.execPath, [door, ...words], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(sourceDate()) },
      maxBuffer: MAX_TEXT_BYTES,
    })
  return new Map([
    ...Object.entries(COMPLETIONS).map(([shell, path]) => [path, made('completion', shell)]),
    ['usr/share/man/man1/headframe.1.gz', gzipSync(made('help', 'man'), { level: 9 })],
  ])
}

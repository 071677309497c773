// The Debian and RPM packages headframe-server: the staged program below /usr/lib, services, config files, documents.
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { manifest } from '../lib/packages.mjs'
import { ROOT, ToolError } from '../lib/project.mjs'
import { sourceDate, writeDeb } from '../release/fixed-tree.mjs'
import {
  ARCHITECTURES,
  changelogText,
  commandFiles,
  controlText,
  copyrightText,
  DESCRIPTION,
  debianVersion,
  libraryNeeds,
  SUMMARY,
} from './debian-texts.mjs'
import {
  LINTIAN_OVERRIDES,
  PACKAGE,
  POSTINST,
  POSTRM,
  PRERM,
  RPM_SCRIPTS,
  TEMPLATES,
  TRADES,
} from './maintainer-scripts.mjs'
import { makeRpm } from './rpm-package.mjs'
import { filesBelow } from './staged-program.mjs'

const HOME = 'usr/lib/headframe'
const DOOR = 'bin/headframe.mjs'
const DOCS = `usr/share/doc/${PACKAGE}`
/** Of the staged program what goes to the documents, or is a service's. */
const ELSEWHERE = ['LICENSE', 'CHANGELOG.md', 'SERVER.md', 'LICENSES.third-party.txt', 'LICENSE.node.txt', 'server']
/** Debian's alone: what its checker is told, and a changelog in its form. */
const DEBIAN_ONLY = ['usr/share/lintian', `${DOCS}/changelog.gz`, `${DOCS}/copyright`]

/**
 * Both packages of the system's own package managers, from one tree.
 * @param {{ program: string, out: string, arch: string, isQuick?: boolean }} options `program`: the staged folder; `arch`: Node's name;
 *   `isQuick`: larger ones, for tests
 * @returns {Promise<{ deb: string, rpm: string | null }>} their paths; no RPM package where rpmbuild is missing
 * @throws ToolError when dpkg-deb is missing, or one of the two refuses
 */
export async function makeSystemPackages({ program, out, arch, isQuick = false }) {
  const architecture = ARCHITECTURES[arch]
  if (architecture === undefined) throw new ToolError(`no Debian package for ${arch}`)
  const root = join(out, '.server-root')
  rmSync(root, { recursive: true, force: true })
  // What is for another processor can't be asked for its manual; the program here says the same.
  fillRoot(root, { program, door: join(arch === process.arch ? program : ROOT, DOOR) })
  // Where zsh looks on the systems of each.
  const [zsh, zshOfRpm] = ['vendor-completions', 'site-functions'].map((name) => join(root, 'usr/share/zsh', name))
  const tellKind = (kind) => writeFileSync(join(root, HOME, 'package-kind'), `${kind}\n`)
  renameSync(zsh, zshOfRpm)
  tellKind('server-rpm')
  const rpm = await makeServerRpm({ root, out, arch, isQuick })
  renameSync(zshOfRpm, zsh)
  tellKind('server-deb')
  fillControl(root, architecture)
  const deb = join(out, `${PACKAGE}_${debianVersion(manifest('.').version)}_${architecture}.deb`)
  await writeDeb(deb, root, isQuick ? ['-Zgzip', '-z1'] : ['-Zxz', '-z6'])
  rmSync(root, { recursive: true, force: true })
  return { deb, rpm }
}

/** The RPM package of such a tree. @param {{ root: string, out: string, arch: string, isQuick?: boolean, version?: string }} options as makeRpm has them */
export function makeServerRpm(options) {
  const configs = TRADES.map((trade) => `/etc/headframe/${trade}.toml`)
  const facts = {
    name: PACKAGE,
    summary: SUMMARY,
    description: DESCRIPTION,
    scripts: RPM_SCRIPTS,
    conflicts: 'headframe',
  }
  return makeRpm({ ...facts, configs, without: DEBIAN_ONLY, ...options })
}

function fillRoot(root, { program, door: asked }) {
  const date = sourceDate()
  const put = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const packed = (path, text) => put(`${path}.gz`, gzipSync(text, { level: 9 }))
  const staged = (path) => readFileSync(join(program, path))
  cpSync(program, join(root, HOME), { recursive: true })
  for (const name of ELSEWHERE) rmSync(join(root, HOME, name), { recursive: true })
  mkdirSync(join(root, 'usr/bin'), { recursive: true })
  symlinkSync('../lib/headframe/headframe', join(root, 'usr/bin/headframe'))
  for (const trade of TRADES) {
    put(`usr/lib/systemd/system/headframe-${trade}.service`, staged(`server/systemd/headframe-${trade}.service`))
    put(`etc/headframe/${trade}.toml`, staged(`server/config/${trade}.toml`))
  }
  for (const [path, text] of commandFiles(asked)) put(path, text)
  put(`${DOCS}/copyright`, copyrightText(date))
  put(`${DOCS}/server.md`, staged('SERVER.md'))
  put(`usr/share/lintian/overrides/${PACKAGE}`, LINTIAN_OVERRIDES)
  packed(`${DOCS}/changelog`, changelogText(date))
  packed(`${DOCS}/CHANGELOG.md`, staged('CHANGELOG.md'))
  for (const name of ['LICENSES.third-party.txt', 'LICENSE.node.txt']) packed(`${DOCS}/${name}`, staged(name))
}

function fillControl(root, architecture) {
  const files = filesBelow(root)
  const content = (path) => readFileSync(join(root, path))
  const sums = files.map((path) => `${createHash('md5').update(content(path)).digest('hex')}  ${path}\n`).join('')
  const bytes = files.reduce((sum, path) => sum + statSync(join(root, path)).size, 0)
  const natives = files.filter((path) => /\.node$|headframe\/node$/.test(path)).map(content)
  const facts = { architecture, kibibytes: Math.ceil(bytes / 1024), needs: libraryNeeds(natives) }
  const put = (name, text, mode = 0o644) => writeFileSync(join(root, 'DEBIAN', name), text, { mode })
  mkdirSync(join(root, 'DEBIAN'))
  put('control', controlText(facts))
  put('md5sums', sums)
  put('conffiles', TRADES.map((trade) => `/etc/headframe/${trade}.toml\n`).join(''))
  put('templates', TEMPLATES)
  for (const [name, text] of Object.entries({ postinst: POSTINST, prerm: PRERM, postrm: POSTRM }))
    put(name, text, 0o755)
}

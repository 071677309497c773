// The Debian package headframe-server: the staged program below /usr/lib, services, config files, documents.
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
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
  debianVersion,
  libraryNeeds,
} from './debian-texts.mjs'
import { LINTIAN_OVERRIDES, PACKAGE, POSTINST, POSTRM, PRERM, TEMPLATES, TRADES } from './maintainer-scripts.mjs'
import { filesBelow } from './staged-program.mjs'

const HOME = 'usr/lib/headframe'
const DOOR = 'bin/headframe.mjs'
const DOCS = `usr/share/doc/${PACKAGE}`
/** Of the staged program what goes to the documents, or is a service's. */
const ELSEWHERE = ['LICENSE', 'CHANGELOG.md', 'SERVER.md', 'LICENSES.third-party.txt', 'server']
/**
 * @param {{ program: string, out: string, arch: string }} options `program`: the staged folder; `arch`: Node's name
 * @returns {Promise<string>} the package's path
 * @throws ToolError when dpkg-deb is missing or refuses
 */
export async function makeServerDeb({ program, out, arch }) {
  const architecture = ARCHITECTURES[arch]
  if (architecture === undefined) throw new ToolError(`no Debian package for ${arch}`)
  const root = join(out, '.server-deb')
  rmSync(root, { recursive: true, force: true })
  // What is for another processor can't be asked for its manual; the program here says the same.
  fillRoot(root, { program, door: join(arch === process.arch ? program : ROOT, DOOR) })
  fillControl(root, architecture)
  const file = join(out, `${PACKAGE}_${debianVersion(manifest('.').version)}_${architecture}.deb`)
  await writeDeb(file, root)
  rmSync(root, { recursive: true, force: true })
  return file
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
  writeFileSync(join(root, HOME, 'package-kind'), 'server-deb\n')
  for (const name of ELSEWHERE) rmSync(join(root, HOME, name), { recursive: true })
  // Debian's Node, whatever else a PATH may name.
  const door = join(HOME, DOOR)
  put(door, readFileSync(join(root, door), 'utf8').replace(/^#!.*/, '#!/usr/bin/node'))
  mkdirSync(join(root, 'usr/bin'), { recursive: true })
  symlinkSync(`../lib/headframe/${DOOR}`, join(root, 'usr/bin/headframe'))
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
  packed(`${DOCS}/LICENSES.third-party.txt`, staged('LICENSES.third-party.txt'))
  chmodSync(join(root, door), 0o755)
}

function fillControl(root, architecture) {
  const files = filesBelow(root)
  const content = (path) => readFileSync(join(root, path))
  const sums = files.map((path) => `${createHash('md5').update(content(path)).digest('hex')}  ${path}\n`).join('')
  const bytes = files.reduce((sum, path) => sum + statSync(join(root, path)).size, 0)
  const natives = files.filter((path) => path.endsWith('.node')).map(content)
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

// Debian and RPM packages from the unpacked program: /opt, a link in /usr/bin, menu entry with the headframe: scheme, icons.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { manifest } from './lib/packages.mjs'
import { ROOT, ToolError } from './lib/project.mjs'
import { sourceDate, writeDeb } from './release/fixed-tree.mjs'
import { changelogText, commandFiles, copyrightText, debianVersion, maintainer } from './server/debian-texts.mjs'
import { makeRpm } from './server/rpm-package.mjs'

const HOME = 'opt/Headframe'
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' }
/** What Electron opens on a desktop; the second names are those of newer releases. */
const NEEDS = [
  'libgtk-3-0 | libgtk-3-0t64',
  'libnss3',
  'libnotify4',
  'libxss1',
  'libxtst6',
  'libatspi2.0-0 | libatspi2.0-0t64',
  'libasound2 | libasound2t64',
  'libgbm1',
  'xdg-utils',
]

/** A link given to the program stands behind `--`, where no word is read as an option. */
export const DESKTOP_ENTRY = `[Desktop Entry]
Type=Application
Name=Headframe
GenericName=Miner, node and signer
Comment=Mine, follow and sign on the Parallax chain
Exec=/${HOME}/headframe -- %u
Icon=headframe
Terminal=false
Categories=Utility;
StartupWMClass=Headframe
MimeType=x-scheme-handler/headframe;
`

/** What software centers show (AppStream). @param {number} date seconds since 1970 */
function metainfo(date) {
  const { version, description, license } = manifest('.')
  const day = new Date(date * 1_000).toISOString().slice(0, 10)
  return `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>org.headframe.desktop</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>${license}</project_license>
  <name>Headframe</name>
  <summary>Miner, chain node and signer for the Parallax chain</summary>
  <description>
    <p>${description}</p>
    <p>It starts on a practice network on your computer, where everything works and nothing is at stake.</p>
  </description>
  <launchable type="desktop-id">headframe.desktop</launchable>
  <content_rating type="oars-1.1"/>
  <releases>
    <release version="${version}" date="${day}"/>
  </releases>
</component>
`
}

const WARNINGS = { 'headframe-test': 'Built with an Electron that gets no security fixes: for testing only.' }
const UPDATE_DESKTOP = `#!/bin/sh
set -e
if command -v update-desktop-database >/dev/null 2>&1; then update-desktop-database -q /usr/share/applications || true; fi
`

const RPM_SCRIPTS = Object.fromEntries(
  ['post', 'postun'].map((name) => [name, UPDATE_DESKTOP.replace('#!/bin/sh\n', '')]),
)

/**
 * Both, from one tree.
 * @param {{ folder: string, out: string, arch: string, isTest?: boolean, isQuick?: boolean }} options `folder`: the unpacked program;
 *   `isTest`: made with the test Electron, so packages of another name, which take the place of the real one and are replaced by it;
 *   `isQuick`: larger ones, for tests
 * @returns {Promise<{ deb: string, rpm: string | null }>} the files; no RPM package where rpmbuild is missing
 */
export async function makeDesktopPackages({ folder, out, arch, isTest = false, isQuick = false }) {
  const { version, description } = manifest('.')
  const architecture = ARCHITECTURES[arch]
  if (architecture === undefined) throw new ToolError(`no Debian package for ${arch}`)
  const root = join(out, '.deb')
  rmSync(root, { recursive: true, force: true })
  const put = (path, text, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text, { mode })
  }
  cpSync(folder, join(root, HOME), { recursive: true })
  // Chromium's own sandbox where the system allows no user namespaces; dpkg-deb makes root its owner.
  chmodSync(join(root, HOME, 'chrome-sandbox'), 0o4755)
  mkdirSync(join(root, 'usr/bin'), { recursive: true })
  symlinkSync(`/${HOME}/headframe`, join(root, 'usr/bin/headframe'))
  put('usr/share/applications/headframe.desktop', DESKTOP_ENTRY)
  put('usr/share/metainfo/org.headframe.desktop.metainfo.xml', metainfo(sourceDate()))
  for (const [path, text] of commandFiles(join(ROOT, 'bin/headframe.mjs'))) put(path, text)
  for (const size of iconSizes()) {
    const place = join(root, `usr/share/icons/hicolor/${size}/apps`)
    mkdirSync(place, { recursive: true })
    cpSync(join(ROOT, `resources/icons/${size}.png`), join(place, 'headframe.png'))
  }
  const name = isTest ? 'headframe-test' : 'headframe'
  const docs = `usr/share/doc/${name}`
  put(`${docs}/copyright`, copyrightText(sourceDate(), `/${HOME}/LICENSES.third-party.txt`))
  put(`${docs}/changelog.Debian.gz`, gzipSync(changelogText(sourceDate(), name), { level: 9 }))
  put(`${docs}/CHANGELOG.md.gz`, gzipSync(readFileSync(join(ROOT, 'CHANGELOG.md')), { level: 9 }))
  put(`${HOME}/package-kind`, 'desktop-rpm\n')
  const facts = {
    name,
    summary: description.replace(/\.$/, ''),
    conflicts: otherName(name),
    requires: ['xdg-utils'],
    scripts: RPM_SCRIPTS,
  }
  const without = [`${docs}/copyright`, `${docs}/changelog.Debian.gz`, 'usr/share/zsh']
  const rpm = await makeRpm({
    ...facts,
    description: [description, WARNINGS[name] ?? ''],
    root,
    out,
    arch,
    without,
    isQuick,
  })
  put(`${HOME}/package-kind`, 'desktop-deb\n')
  const kibibytes = Math.ceil(sizeOf(root) / 1024)
  put('DEBIAN/control', controlText({ name, version, description, architecture, kibibytes }))
  put('DEBIAN/postinst', UPDATE_DESKTOP, 0o755)
  put('DEBIAN/postrm', UPDATE_DESKTOP, 0o755)
  const file = join(out, `${name}_${version}_${architecture}.deb`)
  await writeDeb(file, root, isQuick ? ['-Zgzip', '-z1'] : undefined)
  rmSync(root, { recursive: true, force: true })
  return { deb: file, rpm }
}

/** The real one and the one for tests take each other's place. */
function otherName(name) {
  return name === 'headframe' ? 'headframe-test' : 'headframe'
}

function controlText({ name, version, description, architecture, kibibytes }) {
  const { homepage } = manifest('.')
  const other = otherName(name)
  const warning = WARNINGS[name] === undefined ? '' : ` ${WARNINGS[name]}\n`
  return `Package: ${name}
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: ${maintainer().text}
Installed-Size: ${kibibytes}
Depends: ${NEEDS.join(', ')}
Conflicts: ${other}
Replaces: ${other}
Section: utils
Priority: optional
${homepage === undefined ? '' : `Homepage: ${homepage}\n`}Description: ${description}
${warning}`
}

function iconSizes() {
  return readdirSync(join(ROOT, 'resources/icons'))
    .map((name) => /^(\d+x\d+)\.png$/.exec(name)?.[1])
    .filter((size) => size !== undefined)
}

/** Bytes of all files below. */
export function sizeOf(folder) {
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.reduce((sum, entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sum + sizeOf(path)
    return sum + (entry.isFile() ? statSync(path).size : 0)
  }, 0)
}

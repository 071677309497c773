// An RPM package of a tree, made by rpmbuild; the same tree gives the same bytes.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasProgram } from '../lib/debian.mjs'
import { manifest } from '../lib/packages.mjs'
import { ToolError } from '../lib/project.mjs'
import { fixTree, must, sourceDate } from '../release/fixed-tree.mjs'
import { debianVersion, maintainer } from './debian-texts.mjs'

const ARCHITECTURES = { x64: 'x86_64', arm64: 'aarch64' }
/** Nothing is stripped or compressed again. rpmbuild finds the libraries that natives need; those that are optional, or ours, are left out. */
const SETTINGS = [
  ['_binary_payload', 'w19.zstdio'],
  ['_buildhost', 'headframe'],
  ['use_source_date_epoch_as_buildtime', '1'],
  ['clamp_mtime_to_source_date_epoch', '1'],
  ['__os_install_post', '%{nil}'],
  ['debug_package', '%{nil}'],
  ['_build_id_links', 'none'],
  ['__provides_exclude', '.*'],
  ['__requires_exclude', '^(/usr/bin/env|lib(usb|udev|ffmpeg|EGL|GLESv2|vulkan|vk_swiftshader).*)$'],
]

/** @returns {string | null} what is missing to make one */
export function whyNoRpm() {
  return hasProgram('rpmbuild') ? null : 'rpmbuild is not installed (Debian: apt install rpm)'
}

/**
 * @param {{ root: string, out: string, arch: string, name: string, summary: string, description: readonly string[], conflicts: string,
 *   scripts?: Record<string, string>, configs?: readonly string[], requires?: readonly string[], without?: readonly string[],
 *   version?: string, isQuick?: boolean }} options
 *   `root`: what the package puts below /; `arch`: Node's name; `scripts`: by section; `configs`: files that a changed copy outlives;
 *   `without`: paths in the root that stay out; `version`: another than the program's; `isQuick`: a larger one, for tests
 * @returns {Promise<string | null>} its path; null where rpmbuild is missing
 * @throws ToolError when rpmbuild refuses
 */
export async function makeRpm({ root, out, arch, without = [], isQuick = false, ...facts }) {
  if (whyNoRpm() !== null) return null
  const architecture = ARCHITECTURES[arch]
  if (architecture === undefined) throw new ToolError(`no RPM package for ${arch}`)
  const work = join(out, '.rpm')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  fixTree(root)
  const files = filesOf(root).filter(({ path }) => !without.some((each) => `${path}/`.startsWith(`${each}/`)))
  writeFileSync(join(work, 'package.spec'), specText({ ...facts, root, files, without }))
  const settings = [
    ...SETTINGS,
    ['_topdir', work],
    ['_rpmdir', work],
    ...(isQuick ? [['_binary_payload', 'w1.gzdio']] : []),
  ]
  const defines = settings.flatMap(([key, value]) => ['--define', `${key} ${value}`])
  await must('rpmbuild', [
    '-bb',
    '--quiet',
    '--target',
    `${architecture}-linux`,
    ...defines,
    join(work, 'package.spec'),
  ])
  const [made] = readdirSync(join(work, architecture))
  const file = join(out, made)
  renameSync(join(work, architecture, made), file)
  rmSync(work, { recursive: true })
  return file
}

function specText({
  root,
  files,
  name,
  summary,
  description,
  conflicts,
  scripts = {},
  configs = [],
  requires = [],
  without,
  version,
}) {
  const { version: own, license, homepage } = manifest('.')
  const kindOf = ({ path, isFolder }) =>
    isFolder ? '%dir ' : configs.includes(`/${path}`) ? '%config(noreplace) ' : ''
  const sections = Object.entries(scripts).map(([section, text]) => `%${section}\n${text}\n`)
  return `Name: ${name}
Version: ${debianVersion(version ?? own)}
Release: 1
Summary: ${summary}
License: ${license}
Packager: ${maintainer().text}
Conflicts: ${conflicts}
${requires.map((each) => `Requires: ${each}\n`).join('')}${homepage === undefined ? '' : `URL: ${homepage}\n`}
%description
${description.join('\n')}

%install
cp -a ${quoted(root)}/. %{buildroot}/
${without.map((path) => `rm -rf %{buildroot}/${path}\n`).join('')}find %{buildroot} -exec touch --no-dereference --date=@${sourceDate()} {} +

${sections.join('\n')}
%files
%defattr(-,root,root,-)
${files.map(({ path, isFolder }) => `${kindOf({ path, isFolder })}"/${path}"`).join('\n')}
`
}

function quoted(path) {
  return `'${path.replaceAll("'", "'\\''")}'`
}

/** Files and links below, and the folders that only this package has: those that hold the program. */
function filesOf(root, below = '') {
  return readdirSync(join(root, below), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(below, entry.name)
      if (!entry.isDirectory()) return [{ path, isFolder: false }]
      const isOwn = path.split('/').some((part) => /^headframe/i.test(part))
      const rest = filesOf(root, path)
      return isOwn ? [{ path, isFolder: true }, ...rest] : rest
    })
}

// What package managers read to install a release: Arch's PKGBUILD, a Homebrew formula and the three files of winget, all from one record of
// the release's files. They are written where it is known from which address the files will be served.
//   node tools/release/manifests.mjs --url URL [--release FOLDER] [--out FOLDER]
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { manifest } from '../lib/packages.mjs'
import { ROOT, runTool, ToolError } from '../lib/project.mjs'
import { sourceDate } from './fixed-tree.mjs'

/** As winget names it; the first part stands for the publisher. */
const WINGET = 'Headframe.Headframe'
const WINGET_SCHEMA = '1.6.0'

/**
 * One record of the release.
 * @param {{ folder: string, url: string, date: number }} options `folder` with the files, `date`: seconds since 1970
 * @throws ToolError when a file is missing, or the address isn't https
 */
export function releaseRecord({ folder, url, date }) {
  const { version, description, license } = manifest('.')
  if (!/^https:\/\/[^\s"'\\$`]+$/.test(url)) throw new ToolError(`--url ${url}: want https://HOST/FOLDER`)
  const place = url.replace(/\/$/, '')
  const fileOf = (name) => {
    const bytes = (() => {
      try {
        return readFileSync(join(folder, name))
      } catch {
        throw new ToolError(`${join(folder, name)} is missing: make the release first`)
      }
    })()
    return { name, url: `${place}/${name}`, sha256: createHash('sha256').update(bytes).digest('hex') }
  }
  return {
    version,
    description: description.replace(/\.$/, ''),
    license,
    url: place,
    day: new Date(date * 1_000).toISOString().slice(0, 10),
    files: {
      linux: fileOf(`headframe-server-${version}-linux-x64.tar.gz`),
      windows: fileOf(`headframe-${version}-windows-x64-setup.exe`),
    },
  }
}

/** @returns {Record<string, string>} texts by path */
export function manifests(record) {
  return {
    'arch/PKGBUILD': pkgbuild(record),
    'homebrew/headframe.rb': formula(record),
    [`winget/${WINGET}.yaml`]: yaml({ ...winget(record, 'version'), DefaultLocale: 'en-US' }),
    [`winget/${WINGET}.installer.yaml`]: yaml({
      ...winget(record, 'installer'),
      InstallerType: 'nullsoft',
      Scope: 'user',
      ReleaseDate: record.day,
      Installers: [
        {
          Architecture: 'x64',
          InstallerUrl: record.files.windows.url,
          InstallerSha256: record.files.windows.sha256.toUpperCase(),
        },
      ],
    }),
    [`winget/${WINGET}.locale.en-US.yaml`]: yaml({
      ...winget(record, 'defaultLocale'),
      PackageLocale: 'en-US',
      Publisher: 'Headframe',
      PackageName: 'Headframe',
      License: record.license,
      ShortDescription: record.description,
      Moniker: 'headframe',
    }),
  }
}

/** Version numbers of Arch have no hyphen. */
function pkgbuild({ version, description, url, files: { linux } }) {
  return `# Made by tools/release/manifests.mjs.
pkgname=headframe-bin
pkgver=${version.replaceAll('-', '_')}
pkgrel=1
pkgdesc='${description.replaceAll("'", "'\\''")}'
arch=('x86_64')
url='${url}'
license=('Apache-2.0')
depends=('glibc' 'gcc-libs')
provides=('headframe')
conflicts=('headframe')
source=('${linux.url}')
sha256sums=('${linux.sha256}')

package() {
  install -d "$pkgdir/opt" "$pkgdir/usr/bin"
  cp -a "$srcdir/headframe-server-${version}" "$pkgdir/opt/headframe"
  ln -s /opt/headframe/headframe "$pkgdir/usr/bin/headframe"
}
`
}

function formula({ version, description, url, license, files: { linux } }) {
  return `# Made by tools/release/manifests.mjs.
class Headframe < Formula
  desc "${description.replaceAll('"', '\\"')}"
  homepage "${url}"
  url "${linux.url}"
  version "${version}"
  sha256 "${linux.sha256}"
  license "${license}"

  depends_on arch: :x86_64
  depends_on :linux

  def install
    libexec.install Dir["*"]
    bin.install_symlink libexec/"headframe"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/headframe version")
  end
end
`
}

function winget({ version }, type) {
  return { PackageIdentifier: WINGET, PackageVersion: version, ManifestType: type, ManifestVersion: WINGET_SCHEMA }
}

/** JSON is YAML; each member has its line. */
function yaml(value) {
  return `# Made by tools/release/manifests.mjs.\n${Object.entries(value)
    .map(([key, member]) => `${key}: ${JSON.stringify(member)}\n`)
    .join('')}`
}

if (process.argv[1]?.endsWith('manifests.mjs')) {
  await runTool(async () => {
    const words = process.argv.slice(2)
    const valueAfter = (flag) => (words.includes(flag) ? words.splice(words.indexOf(flag), 2)[1] : undefined)
    const [url, folder, out] = [valueAfter('--url'), valueAfter('--release'), valueAfter('--out')]
    if (url === undefined || words.length > 0)
      throw new ToolError('accepted: --url URL [--release FOLDER] [--out FOLDER]')
    const record = releaseRecord({ folder: folder ?? join(ROOT, 'dist/release'), url, date: sourceDate() })
    for (const [name, text] of Object.entries(manifests(record))) {
      const file = join(out ?? join(ROOT, 'dist/manifests'), name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      console.log(file)
    }
  })
}

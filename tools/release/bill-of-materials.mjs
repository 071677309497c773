// The bill of materials of a release (CycloneDX 1.5): what npm knows of the packages that are built in, the crates of the engine's
// module, libsecp256k1, Electron, and the Node in packages without it. The same sources give the same text: no time, no random serial number.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NODE_ARCHIVES } from '../lib/node-program.mjs'
import { OLD_ELECTRON } from '../lib/old-electron-wheel.mjs'
import { manifest } from '../lib/packages.mjs'
import { ROOT, ToolError } from '../lib/project.mjs'
import { builtInPackages } from '../package-licences.mjs'

const CRATE_LINE = /^([\w-]+) (\d[\w.+-]*) \((.+)\)$/gm

const CURVE = 'native/vendor/libsecp256k1.json'

/**
 * @param {{ electron: string | null, npm?: ReturnType<typeof npmBill> }} options `electron`: version of the one that is packed, null
 *   without one; `npm`: asked already
 */
export function billOfMaterials({ electron, npm = npmBill() }) {
  const { name, version, description, license } = manifest('.')
  const folders = builtInPackages()
  const wanted = new Set(folders.map((folder) => purlOf(manifest(folder))))
  const packages = npm.components.filter(({ purl }) => wanted.has(purl)).map(withoutPlace)
  const missing = [...wanted].filter((purl) => !packages.some((each) => each.purl === purl))
  if (missing.length > 0) throw new ToolError(`not in the lock file: ${missing.join(', ')}`)
  const components = [...packages, ...crates(), libsecp256k1(), ...nodes(), ...electronParts(electron)].map(inUse)
  components.sort((one, other) => (one.purl < other.purl ? -1 : 1))
  const kept = new Set(components.map((component) => component['bom-ref']))
  const dependencies = npm.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => kept.has(each)).sort() }))
    .sort((one, other) => (one.ref < other.ref ? -1 : 1))
  const ref = `${name}@${version}`
  const component = { 'bom-ref': ref, type: 'application', name, version, description, licenses: licensed(license) }
  const bill = {
    $schema: npm.$schema,
    bomFormat: npm.bomFormat,
    specVersion: npm.specVersion,
    serialNumber: serial(components),
    version: 1,
    metadata: { lifecycles: npm.metadata.lifecycles, component: { ...component, purl: `pkg:npm/${ref}` } },
    components,
    dependencies: [{ ref, dependsOn: [...kept].sort() }, ...dependencies],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** Which registry it came from isn't known: the lock file names a host that doesn't exist. */
function withoutPlace({ properties: _, externalReferences = [], ...rest }) {
  return { ...rest, externalReferences: externalReferences.filter(({ type }) => type !== 'distribution') }
}

/** What npm says of the lock file; two seconds. */
export function npmBill() {
  const npm = process.env.npm_execpath
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel=error']
  const [program, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm]
  const { status, stdout, stderr } = spawnSync(program, [...first, ...words], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new ToolError(`npm sbom failed: ${(stderr ?? '').trim().split('\n')[0]}`)
  return JSON.parse(stdout)
}

function purlOf({ name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** What is listed as compiled in, with the checksums that cargo's lock file has. */
function crates() {
  const lock = readFileSync(join(ROOT, 'native/engine/Cargo.lock'), 'utf8').split('[[package]]')
  const list = readFileSync(join(ROOT, 'resources/engine/LICENCES.txt'), 'utf8').split('\n---')[0] ?? ''
  return [...list.matchAll(CRATE_LINE)].map(([, name, version, license]) => {
    const entry = lock.find((text) => text.includes(`name = "${name}"\n`) && text.includes(`version = "${version}"\n`))
    const checksum = /^checksum = "([0-9a-f]{64})"$/m.exec(entry ?? '')?.[1]
    return {
      'bom-ref': `crate:${name}@${version}`,
      type: 'library',
      name,
      version,
      purl: `pkg:cargo/${name}@${version}`,
      licenses: [{ expression: license }],
      hashes: checksum === undefined ? [] : [{ alg: 'SHA-256', content: checksum }],
    }
  })
}

/** Compiled from the sources in native/vendor; the hash is over the list of their hashes. */
function libsecp256k1() {
  const { name, version, vcs, revision, license, sha256 } = JSON.parse(readFileSync(join(ROOT, CURVE), 'utf8'))
  const purl = `pkg:generic/${name}@${version}?vcs_url=${encodeURIComponent(`git+${vcs}.git@${revision}`)}`
  const hashes = [{ alg: 'SHA-256', content: sha256 }]
  return { 'bom-ref': `${name}@${version}`, type: 'library', name, version, purl, licenses: licensed(license), hashes }
}

/** In the packages without Electron; one for each system and processor, from the npm packages that carry it. */
function nodes() {
  return Object.entries(NODE_ARCHIVES).map(([target, { version, integrity }]) => ({
    'bom-ref': `node-${target}@${version}`,
    type: 'platform',
    name: 'node',
    version,
    purl: `pkg:npm/node-${target}@${version}`,
    licenses: licensed('MIT'),
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity, 'base64').toString('hex') }],
  }))
}

function electronParts(version) {
  if (version === null) return []
  const purl = `pkg:npm/electron@${version}`
  const hashes = electronHashes(version)
  return [
    {
      'bom-ref': `electron@${version}`,
      type: 'framework',
      name: 'electron',
      version,
      purl,
      licenses: licensed('MIT'),
      hashes,
    },
  ]
}

/** Of its archives for Linux, as its own package lists them; none for another version. */
function electronHashes(version) {
  if (version === OLD_ELECTRON.version) return OLD_ELECTRON.hashes
  if (manifest('node_modules/electron').version !== version) return []
  const sums = JSON.parse(readFileSync(join(ROOT, 'node_modules/electron/checksums.json'), 'utf8'))
  const content = sums[`electron-v${version}-linux-${process.arch}.zip`]
  return content === undefined ? [] : [{ alg: 'SHA-256', content }]
}

/** npm calls what it would not install for users optional: all of it is built in. */
function inUse(component) {
  return { ...component, scope: 'required' }
}

function licensed(id) {
  return [{ license: { id } }]
}

/** The same components give the same number, in the form of a UUID. */
function serial(components) {
  const hex = createHash('sha256').update(JSON.stringify(components)).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return `urn:uuid:${parts.join('-')}`
}

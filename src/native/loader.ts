// Finds and loads the addon's file. The result is a value: without the addon everything still works, slowly, and the
// caller logs why.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { NativeAddon } from './addon'

const ADDON_ABI = 4

/** The addon and its file, or why none was loaded. */
type LoadedAddon = { readonly addon: NativeAddon; readonly path: string } | { readonly error: string }

/**
 * Loads the first addon file found: unpacked beside the packaged app (`process.resourcesPath`), then, in `searchFrom`
 * and each folder above it, native/prebuilds/<platform>-<arch>/headframe.node and native/build/Release/headframe.node.
 * `HEADFRAME_NO_ADDON=1` in the environment disables loading, for tests.
 * @param searchFrom absolute path of a folder; the entry's own folder will do
 */
export function loadAddon(options: { readonly searchFrom: string }): LoadedAddon {
  if (process.env.HEADFRAME_NO_ADDON === '1') return { error: 'switched off by HEADFRAME_NO_ADDON=1' }
  const path = addonCandidates(options.searchFrom).find((candidate) => existsSync(candidate))
  if (path === undefined) return { error: `no headframe.node for ${platformName()}; run: npm run build:native` }
  try {
    // A computed absolute path, so that no bundler resolves it.
    const loaded: unknown = createRequire(path)(path)
    if (!isAddon(loaded)) return { error: `${path} is of another version; run: npm run build:native` }
    return { addon: loaded, path }
  } catch (error: unknown) {
    return { error: `${path}: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** Absolute paths in search order. */
export function addonCandidates(searchFrom: string): string[] {
  const candidates: string[] = []
  const resources = resourcesPath()
  if (resources !== null) candidates.push(...inRoot(join(resources, 'app.asar.unpacked')), ...inRoot(resources))
  for (let folder = searchFrom; ; folder = dirname(folder)) {
    // A path inside an archive reads through Electron's file system but can't be loaded: the unpacked copy is beside
    // it.
    candidates.push(...inRoot(folder.replace(/app\.asar(?=[\\/]|$)/, 'app.asar.unpacked')))
    if (dirname(folder) === folder) return candidates
  }
}

function inRoot(root: string): string[] {
  return [
    join(root, 'native', 'prebuilds', platformName(), 'headframe.node'),
    join(root, 'native', 'build', 'Release', 'headframe.node'),
  ]
}

function platformName(): string {
  return `${process.platform}-${process.arch}`
}

function resourcesPath(): string | null {
  return 'resourcesPath' in process && typeof process.resourcesPath === 'string' ? process.resourcesPath : null
}

function isAddon(value: unknown): value is NativeAddon {
  return typeof value === 'object' && value !== null && 'abi' in value && value.abi === ADDON_ABI
}

/**
 * A part of the addon that some builds lack, looked up once, on first use: null without the addon, or without the part.
 * @param read returns undefined when the build lacks the part
 */
export function addonPart<Part>(read: (addon: NativeAddon) => Part | undefined): () => Part | null {
  let found: Part | null | undefined
  return () => {
    if (found !== undefined) return found
    const loaded = loadAddon({ searchFrom: import.meta.dirname })
    found = 'addon' in loaded ? (read(loaded.addon) ?? null) : null
    return found
  }
}

/** Rounds of BLAKE2b by the addon's vector code, in about half the time of WebAssembly. */
export const nativeBlake2Rounds = addonPart(({ blake2Rounds }) => blake2Rounds)

/** Keccak-256 of many messages at once by the addon's vector code. */
export type KeccakRanges = NonNullable<NativeAddon['keccakRanges']>
export const nativeKeccakRanges = addonPart(({ keccakRanges }) => keccakRanges)

/** Two to four times as fast as with bigint, for moduli of up to some kilobytes. */
export type PowerFunction = NonNullable<NativeAddon['modularPower']>
export const nativePower = addonPart(({ modularPower }) => modularPower)

/** scrypt's mixing, two to three times as fast as OpenSSL's where several blocks can run in parallel. */
export interface ScryptMixing {
  /** On the calling thread. */
  readonly mix: NonNullable<NativeAddon['mixScrypt']>
  readonly mixApart: NonNullable<NativeAddon['mixScryptApart']>
}
export const nativeScrypt = addonPart(({ mixScrypt: mix, mixScryptApart: mixApart }): ScryptMixing | undefined =>
  mix === undefined || mixApart === undefined ? undefined : { mix, mixApart },
)

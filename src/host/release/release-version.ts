// Versions of releases: three numbers, in order.

const VERSION = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/

/** Versions of releases have no further parts: none means less than another of the same numbers. */
export function isReleaseVersion(text: string): boolean {
  return VERSION.test(text)
}

/** Negative when `one` is older than `other`, 0 when they are the same. Both are versions of releases. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number))
  const index = [0, 1, 2].find((at) => left?.[at] !== right?.[at]) ?? 0
  return (left?.[index] ?? 0) - (right?.[index] ?? 0)
}

/** Whether a release is newer than the program that runs; a program of no release is older than each. */
export function isNewer(version: string, running: string): boolean {
  return !isReleaseVersion(running) || compareVersions(version, running) > 0
}

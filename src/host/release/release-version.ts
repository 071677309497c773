// Versions of releases: three numbers, in order.

const VERSION = /^(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/

/** Release versions have no further parts: a version with a suffix counts as older than the plain one. */
export function isReleaseVersion(text: string): boolean {
  return VERSION.test(text)
}

/** Negative when `one` is older than `other`, 0 when they are equal. Both are release versions. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((text) => text.split('.').map(Number))
  const index = [0, 1, 2].find((at) => left?.[at] !== right?.[at]) ?? 0
  return (left?.[index] ?? 0) - (right?.[index] ?? 0)
}

/** Whether a release is newer than the running program; a development build counts as older than every release. */
export function isNewer(version: string, running: string): boolean {
  return !isReleaseVersion(running) || compareVersions(version, running) > 0
}

export function missingLibraries(executable: string): string[]
export function notFoundIn(listing: string): string[]
export function packagesOf(libraries: readonly string[]): string[]
export function lackText(libraries: readonly string[]): string

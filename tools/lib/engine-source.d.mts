export const ENGINE_FILE: string
export const ENGINE_FOLDER: string
export function engineStamp(): string
export function stamped(module: Uint8Array, stamp: string): Buffer<ArrayBuffer>
export function stampOf(module: Uint8Array): string | null

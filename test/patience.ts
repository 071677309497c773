/**
 * How long a test waits for anything before that counts as hanging, in milliseconds. A slow or busy machine stays far
 * below it. TEST_PATIENCE, in seconds, shortens it for somebody who mends one file.
 */
export const PATIENCE_MS = Number(process.env.TEST_PATIENCE ?? 120) * 1000

/** jsdom has no media queries. @param isWide whether those for a width of at least something match */
export function stubMatchMedia(isWide: boolean): void {
  const listeners = { addEventListener: () => undefined, removeEventListener: () => undefined }
  const value = (query: string) => ({ matches: isWide && query.includes('min-width'), ...listeners })
  Object.defineProperty(window, 'matchMedia', { configurable: true, value })
}

// Before anything is drawn: the theme that was chosen here, else the system's, so that a page never flashes in the other one. The
// program keeps it in step afterwards (src/state/theme.ts). Not part of the bundle, which comes later.
;(() => {
  let choice = 'system'
  try {
    choice = JSON.parse(localStorage.getItem('headframe.preferences') ?? '{}').theme
  } catch {
    // Unreadable preferences count as none.
  }
  const isLight = choice === 'light' || (choice !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches)
  document.documentElement.dataset.theme = isLight ? 'light' : 'dark'
})()

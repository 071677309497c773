// Before anything is drawn: the theme that was chosen here, else the system's, so that a page never flashes in the other one. The
// program keeps it in step afterwards (src/state/theme.ts). Not part of the bundle, which comes later. If the bundle doesn't come, the
// page says why: most often, a proxy in front changes the Host header.
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

const CANNOT_LOAD = {
  en: 'This page can’t load.',
  de: 'Diese Seite kann nicht geladen werden.',
  es: 'No se puede cargar esta página.',
  pt: 'Não foi possível carregar esta página.',
  ru: 'Не удалось загрузить эту страницу.',
  zh: '无法加载此页面。',
}

/** The program's own words (English) for a file that the page didn't get; of requests, only a POST always names the page's origin. */
async function reasonOf(file) {
  const answer = await fetch(file, { method: 'POST' }).catch(() => null)
  if (answer?.status !== 403) return ''
  return answer.json().then(
    ({ error }) => String(error),
    () => '403',
  )
}

addEventListener(
  'error',
  async ({ target }) => {
    if (!(target instanceof HTMLScriptElement) || target.type !== 'module') return
    const place = document.createElement('p')
    place.setAttribute('role', 'alert')
    place.style.cssText = 'position: fixed; inset: 30% 10% auto; text-align: center; font: 16px/1.5 system-ui; block-size: auto'
    const words = CANNOT_LOAD[navigator.language.slice(0, 2)] ?? CANNOT_LOAD.en
    place.textContent = `${words} ${await reasonOf(target.src)}`.trim()
    document.body.append(place)
  },
  true,
)

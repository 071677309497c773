// For every test of the window: a busy machine may take long to load a screen; nothing is proved by being quick. All texts are
// there, as for a page whose parts were loaded.
import { configure } from '@testing-library/react'
import { loadEnglish } from '../i18n/en/english'

configure({ asyncUtilTimeout: 240_000 })
await loadEnglish()

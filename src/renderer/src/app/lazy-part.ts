// Parts of the page that come when they are first wanted, together with the texts that the first screen does not need.
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadEnglish } from '../i18n/english'

export function lazyPart<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    const [part] = await Promise.all([load(), loadEnglish()])
    return { default: part }
  })
}

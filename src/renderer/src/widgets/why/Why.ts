// What a value is made of; loaded when it is first asked for.
import { lazyPart } from '../../components/lazy-part'

export const Why = lazyPart(async () => (await import('./WhyText')).WhyText)

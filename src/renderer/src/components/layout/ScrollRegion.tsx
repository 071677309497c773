// A part of the page that scrolls separately: it has a name, and the keyboard can reach it.
import type { CSSProperties, ReactNode, Ref } from 'react'

interface ScrollRegionProps {
  readonly label: string
  readonly className?: string | undefined
  readonly id?: string
  readonly ref?: Ref<HTMLElement>
  readonly style?: CSSProperties
  readonly children: ReactNode
}

export function ScrollRegion({ label, className, id, ref, style, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section ref={ref} id={id} className={className} style={style} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}

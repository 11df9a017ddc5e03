import createCache, { type EmotionCache } from '@emotion/cache'
import { createContext } from 'react'

/**
 * Emotion while streaming: one cache per page view, whose styles leave in `style` elements ahead of the markup that
 * needs them; components print none themselves, so the browser hydrates what it expects.
 *
 * Server: React flushes whole pieces of markup; before each the server puts `take()`.
 * Browser: the cache adopts the `style[data-emotion]` elements that stand there when it is made.
 */
export type OpenStyles = () => EmotionCache

/** Gives the page's cache when the first MUI widget asks for it: pages without any pay nothing. */
export const StylesContext = createContext<OpenStyles | undefined>(undefined)

const key = 'css'

export interface PageStyles {
  readonly open: OpenStyles
  /** The style element of what was rendered since the last call; empty when nothing new was. */
  take(): string
}

export function createPageStyles(nonce: string): PageStyles {
  let cache: EmotionCache | undefined
  let fresh: { name: string; isGlobal: boolean }[] = []
  const open = () => {
    if (cache) return cache
    const made = createCache({ key, nonce })
    // Without it each component would print its own style element.
    made.compat = true
    const insert = made.insert
    made.insert = (...args) => {
      const [selector, serialized] = args
      if (made.inserted[serialized.name] === undefined) fresh.push({ name: serialized.name, isGlobal: !selector })
      return insert(...args)
    }
    cache = made
    return made
  }
  const element = (mark: string, css: string) => css && `<style data-emotion="${mark}" nonce="${nonce}">${css}</style>`
  const take = () => {
    if (!cache || fresh.length === 0) return ''
    const { inserted } = cache
    const rulesOf = ({ name }: { name: string }) => (typeof inserted[name] === 'string' ? inserted[name] : '')
    const globals = fresh.filter(one => one.isGlobal)
    const scoped = fresh.filter(one => !one.isGlobal)
    fresh = []
    return (
      globals.map(one => element(`${key}-global ${one.name}`, rulesOf(one))).join('') +
      element([key, ...scoped.map(one => one.name)].join(' '), scoped.map(rulesOf).join(''))
    )
  }
  return { open, take }
}

let browserCache: EmotionCache | undefined

/** The browser's only cache. Made before hydration, because making it moves the page's style elements to the head. */
export const openBrowserStyles: OpenStyles = () => {
  browserCache ??= createCache({
    key,
    nonce: document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce,
  })
  return browserCache
}

import createCache, { type EmotionCache } from '@emotion/cache'
import { createContext } from 'react'

/**
 * Emotion with streaming: one cache per page view. Styles are sent in `style` elements before the markup that needs
 * them; components print none themselves, so that hydration matches.
 *
 * Server: React flushes whole pieces of markup; the server writes `take()` before each. Browser: the cache adopts the
 * `style[data-emotion]` elements that exist when it is created.
 */
type OpenStyles = () => EmotionCache

/** Created when the first MUI widget needs it, so pages without any pay nothing. */
export const StylesContext = createContext<OpenStyles | undefined>(undefined)

const key = 'css'

interface PageStyles {
  readonly open: OpenStyles
  /** Returns a style element with the styles added since the last call, or an empty string if there are none. */
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

/** The browser's only cache. Created before hydration, because it moves the page's style elements to the head. */
export const openBrowserStyles: OpenStyles = () => {
  browserCache ??= createCache({
    key,
    nonce: document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce,
  })
  return browserCache
}

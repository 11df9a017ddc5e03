import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { I18nextProvider } from 'react-i18next'
import {
  createBrowserRouter,
  matchRoutes,
  type RouteMatch,
  type RouteObject,
  RouterContextProvider,
} from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { MissingPartFault } from '#client/shell/missing-part-fault.tsx'
import { keepSession } from '#client/shell/session-life.ts'
import { cookieOf, remember, setCookie } from '#client/ui/page/remember.ts'
import { ownTimeZone } from '#client/ui/text/own-time-zone.ts'
import { prepareDateWords, setDateZone } from '#shared/kernel/time.ts'
import { apiContext, createFetchApi } from './calls/api.ts'
import { type Facts, FactsContext, factsContext } from './facts.ts'
import { MissingPart } from './hydration/missing-part.ts'
import { nextTurn } from './hydration/next-turn.ts'
import { createBrowserI18n, unseenLanguage } from './preferences/i18n.ts'
import { languageKey, timeZoneKey } from './preferences/preference.ts'
import { createQueryClient, queryClientContext } from './queries/queries.ts'
import { logCaught } from './rendering/caught-errors.ts'
import { Document } from './rendering/document.tsx'
import { receiveHandOver } from './rendering/query-stream.ts'
import type { PageHandle } from './routes/page-route.tsx'

declare global {
  interface Window {
    /** Goober, which styles the toasts, looks for a nonce here. */
    __nonce__?: string
  }
}

/** The server writes this object into the page. */
interface Boot {
  readonly facts: Facts
  readonly texts: Record<string, Record<string, string>>
}

/** Hydration needs the matched pages' code. A page that is still loading would be discarded and rendered again. */
const loadMatched = (matched: readonly RouteMatch<string, RouteObject>[]) =>
  Promise.all(
    matched.map(async ({ route }) => {
      if (typeof route.lazy !== 'function') return
      const loaded = await route.lazy()
      // Keep the HTML that the server rendered: an error page must not replace it.
      if (loaded.Component === MissingPartFault) throw new MissingPart('A part of the page could not be loaded')
      Object.assign(route, loaded, { lazy: undefined })
    }),
  )

const hasDates = (matched: readonly RouteMatch<string, RouteObject>[]): boolean =>
  matched.every(({ route }) => (route.handle as PageHandle | undefined)?.hasDates !== false)

/** The router would log errors twice. */
const leftToReact = () => undefined

const isReloaded = (): boolean => {
  const [way] = performance.getEntriesByType('navigation')
  return way instanceof PerformanceNavigationTiming && way.type === 'reload'
}

/** Hydrates the marked element before the rest, such as the frame. If React removes this API, in order. */
const takeOverFirst = (root: Root & { unstable_scheduleHydration?(target: Node): void }): void => {
  const target = document.querySelector('[data-first]')
  if (target) root.unstable_scheduleHydration?.(target)
}

/** Hydrates the server-rendered page in several tasks, because a phone's processor takes long for each. */
export const startPage = async (routes: RouteObject[]): Promise<void> => {
  const boot = document.querySelector<HTMLScriptElement>('#page-boot')
  if (!boot) throw new Error('Root element not found')
  const { facts, texts } = JSON.parse(boot.text) as Boot
  await nextTurn()
  window.__nonce__ = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce
  const apiFor = createFetchApi()
  const client = createQueryClient(apiFor)
  receiveHandOver(client)
  const matched = matchRoutes(routes, location) ?? []
  const [i18n] = await Promise.all([
    createBrowserI18n({ language: facts.language, version: facts.localesVersion, resources: texts }),
    loadMatched(matched),
  ])
  await nextTurn()
  const router = createBrowserRouter(routes, {
    getContext: () => {
      const context = new RouterContextProvider()
      context.set(apiContext, apiFor)
      context.set(queryClientContext, client)
      context.set(factsContext, facts)
      return context
    },
  })
  keepSession(client)
  const other = unseenLanguage(facts.language)
  const isInCookie = cookieOf(languageKey) === other
  if (other) {
    remember(languageKey, other)
    // Texts that change during hydration would not match, so the page is reloaded in the other language. Not when
    // cookies are missing or after a reload, because it would not help.
    if (cookieOf(languageKey) === other && !(isInCookie && isReloaded())) return location.reload()
  } else if (cookieOf(languageKey) !== facts.language) remember(languageKey, facts.language)
  const timeZone = ownTimeZone()
  setCookie(timeZoneKey, timeZone)
  setDateZone(timeZone)
  await nextTurn()
  if (facts.isSignedIn && hasDates(matched)) prepareDateWords(facts.language, facts.timeZone)
  await nextTurn()
  startTransition(() => {
    const root = hydrateRoot(
      document,
      <StrictMode>
        <FactsContext value={facts}>
          <I18nextProvider i18n={i18n}>
            <QueryClientProvider client={client}>
              <Document>
                <RouterProvider router={router} onError={leftToReact} />
              </Document>
            </QueryClientProvider>
          </I18nextProvider>
        </FactsContext>
      </StrictMode>,
      { onCaughtError: logCaught },
    )
    takeOverFirst(root)
  })
}

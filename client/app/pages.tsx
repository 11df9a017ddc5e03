import { QueryClientProvider } from '@tanstack/react-query'
import type { i18n as I18n } from 'i18next'
import { type ReactElement, StrictMode } from 'react'
import { type PipeableStream, type RenderToPipeableStreamOptions, renderToPipeableStream } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { createStaticHandler, type RouteObject, RouterContextProvider, StaticRouterProvider } from 'react-router'
import { type ApiFor, apiContext } from './calls/api.ts'
import { type Facts, FactsContext, factsContext } from './facts.ts'
import { earlyScript } from './hydration/early.ts'
import { lostPressesScript } from './hydration/lost-presses.ts'
import { stuckPageScript } from './hydration/stuck-page.ts'
import { commonNamespaces } from './preferences/i18n.ts'
import { createQueryClient, queryClientContext } from './queries/queries.ts'
import { Document } from './rendering/document.tsx'
import { createPageStyles, StylesContext } from './rendering/emotion-stream.ts'
import { NonceContext } from './rendering/nonce.ts'
import { createPageRouters } from './rendering/page-router.ts'
import { createHandOver, type PrintAnswer } from './rendering/query-stream.ts'
import { scriptSafe } from './rendering/script-safe.ts'
import type { PageHandle } from './routes/page-route.tsx'

/** The facts that the server provides for one page view. */
interface Visit {
  readonly apiFor: ApiFor
  readonly print: PrintAnswer
  readonly i18n: I18n
  readonly facts: Facts
  readonly nonce: string
}

/** A page whose data was requested and whose status is known. Nothing is rendered yet. */
export interface Page {
  readonly status: number
  /** The header `retry-after` of a failed page. */
  readonly retryAfter: string | undefined
  /** Source files of the matched pages, for preloads and styles. */
  readonly modules: readonly string[]
  /** Files that wide windows also need at once. */
  readonly wideModules: readonly string[]
  /** Text namespaces to print into the page. */
  readonly namespaces: readonly string[]
  /** Script that must run before any input. */
  readonly earlyScript: string
  /** The state for the browser's router, as JSON that is safe inside a script. */
  readonly routerState: string
  /** Style elements of what was rendered since the last call. */
  takeStyles(): string
  /**
   * Returns the answers that arrived since the last call, as JSON that is safe inside a script, or an empty string if
   * there are none.
   */
  takeAnswers(): string
  render(options: RenderToPipeableStreamOptions): PipeableStream
  /** Releases the page's cache. Must be called however the page ends. */
  close(): void
}

export interface Pages {
  /** Runs guards and loaders. Returns a Response (a redirect) or the page to render. */
  open(request: Request, visit: Visit): Promise<Response | Page>
}

const printErrors = (errors: Record<string, unknown> | null) =>
  errors &&
  Object.fromEntries(
    Object.entries(errors).map(([id, error]) => [
      id,
      // Other errors are not passed on, because their text may be internal.
      error instanceof Error
        ? { message: '', __type: 'Error' }
        : { ...(error as object), __type: 'RouteErrorResponse' },
    ]),
  )

/** Reads the header that the failed loader set. */
const retryAfterIn = (loaderHeaders: Readonly<Record<string, Headers>>): string | undefined =>
  Object.values(loaderHeaders).flatMap(headers => headers.get('retry-after') ?? [])[0]

const earlyScripts = new WeakMap<I18n, string>()

/** Returns the scripts that run before any other, in the page's language. Caches them per language. */
const earlyScriptOf = (i18n: I18n): string => {
  const known = earlyScripts.get(i18n)
  if (known !== undefined) return known
  const words = {
    text: i18n.t('shell:missingPart.stuck'),
    stillAway: i18n.t('shell:missingPart.stillAway'),
    retry: i18n.t('shell:error.retry'),
  }
  const made = `${earlyScript};${lostPressesScript};${scriptSafe(stuckPageScript(words))}`
  earlyScripts.set(i18n, made)
  return made
}

/** Routes and everything that is made once for all visitors. */
export function createPages(routes: RouteObject[]): Pages {
  const handler = createStaticHandler(routes)
  const routerOf = createPageRouters(handler)
  return {
    async open(request, visit) {
      const client = createQueryClient(visit.apiFor)
      const requestContext = new RouterContextProvider()
      requestContext.set(apiContext, visit.apiFor)
      requestContext.set(queryClientContext, client)
      requestContext.set(factsContext, visit.facts)
      const context = await handler.query(request, { requestContext })
      if (context instanceof Response) {
        client.clear()
        return context
      }
      const router = routerOf(context)
      const styles = createPageStyles(visit.nonce)
      const takeAnswers = createHandOver(client, visit.print)
      const handles = context.matches.map(match => match.route.handle as PageHandle | undefined)
      const tree: ReactElement = (
        <StrictMode>
          <FactsContext value={visit.facts}>
            <I18nextProvider i18n={visit.i18n}>
              <QueryClientProvider client={client}>
                <StylesContext value={styles.open}>
                  <NonceContext value={visit.nonce}>
                    <Document nonce={visit.nonce}>
                      <StaticRouterProvider router={router} context={context} hydrate={false} />
                    </Document>
                  </NonceContext>
                </StylesContext>
              </QueryClientProvider>
            </I18nextProvider>
          </FactsContext>
        </StrictMode>
      )
      return {
        status: context.statusCode,
        retryAfter: retryAfterIn(context.loaderHeaders),
        modules: handles.flatMap(handle => handle?.module ?? []),
        wideModules: handles.flatMap(handle => handle?.whenWide?.(visit.facts) ?? []),
        namespaces: [...new Set([...commonNamespaces, ...handles.flatMap(handle => handle?.ns ?? [])])],
        earlyScript: earlyScriptOf(visit.i18n),
        routerState: scriptSafe(
          JSON.stringify({ loaderData: context.loaderData, errors: printErrors(context.errors) }),
        ),
        takeStyles: styles.take,
        takeAnswers,
        render: options => renderToPipeableStream(tree, options),
        close: () => client.clear(),
      }
    },
  }
}

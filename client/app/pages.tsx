import { QueryClientProvider } from '@tanstack/react-query'
import type { i18n as I18n } from 'i18next'
import { type ReactElement, StrictMode } from 'react'
import { type PipeableStream, type RenderToPipeableStreamOptions, renderToPipeableStream } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { createStaticHandler, type RouteObject, RouterContextProvider, StaticRouterProvider } from 'react-router'
import { type ApiFor, apiContext } from './api.ts'
import { Document } from './document.tsx'
import { createPageStyles, StylesContext } from './emotion-stream.ts'
import { type Facts, FactsContext, factsContext } from './facts.ts'
import { earlyScript } from './hydration/early.ts'
import { lostPressesScript } from './hydration/lost-presses.ts'
import { stuckPageScript } from './hydration/stuck-page.ts'
import { commonNamespaces } from './i18n.ts'
import { NonceContext } from './nonce.ts'
import { createPageRouters } from './page-router.ts'
import { createQueryClient, queryClientContext } from './queries.ts'
import { createHandOver, type PrintAnswer } from './query-stream.ts'
import type { PageHandle } from './routes.tsx'
import { scriptSafe } from './script-safe.ts'

/** What the server brings to one page view. */
export interface Visit {
  readonly apiFor: ApiFor
  readonly print: PrintAnswer
  readonly i18n: I18n
  readonly facts: Facts
  readonly nonce: string
}

/** A page whose data has been asked for and whose status is known; nothing is rendered yet. */
export interface Page {
  readonly status: number
  /** Of a refused page that is worth another try: the header `retry-after`. */
  readonly retryAfter: string | undefined
  /** Source files of the matched pages, for preloads and styles. */
  readonly modules: readonly string[]
  /** The same of files that are needed at once where the window is wide. */
  readonly wideModules: readonly string[]
  /** Text namespaces to print into the page. */
  readonly namespaces: readonly string[]
  /** Script that has to run before anybody can press anything. */
  readonly earlyScript: string
  /** What the router in the browser starts from, as JSON safe inside a script. */
  readonly routerState: string
  /** Style elements of what was rendered since the last call. */
  takeStyles(): string
  /** The answers that came since the last call, as JSON safe inside a script element; empty when none did. */
  takeAnswers(): string
  render(options: RenderToPipeableStreamOptions): PipeableStream
  /** Lets go of the page's cache; call it whichever way the page ended. */
  close(): void
}

export interface Pages {
  /** Runs guards and loaders: a Response (a redirect) to pass on, or the page to render. */
  open(request: Request, visit: Visit): Promise<Response | Page>
}

const printErrors = (errors: Record<string, unknown> | null) =>
  errors &&
  Object.fromEntries(
    Object.entries(errors).map(([id, error]) => [
      id,
      // What is no refusal carries nothing over: its text may be internal.
      error instanceof Error
        ? { message: '', __type: 'Error' }
        : { ...(error as object), __type: 'RouteErrorResponse' },
    ]),
  )

/** Said by the loader that refused the page. */
const retryAfterIn = (loaderHeaders: Readonly<Record<string, Headers>>): string | undefined =>
  Object.values(loaderHeaders).flatMap(headers => headers.get('retry-after') ?? [])[0]

const earlyScripts = new WeakMap<I18n, string>()

/** What runs before any other script, in the page's language; made once for each. */
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

/** Routes and everything that can be made once for all visitors. */
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

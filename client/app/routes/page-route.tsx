import type { ComponentType, ReactElement } from 'react'
import type { LoaderFunction, RouteObject } from 'react-router'
import { aliasOf } from '#client/shell/alias.ts'
import { allowed } from '#client/shell/allowed.ts'
import { ErrorPage } from '#client/shell/error-page.tsx'
import { MissingPartFault } from '#client/shell/missing-part-fault.tsx'
import type { TitleKey } from '#client/shell/navigation.ts'
import { notFoundLoader } from '#client/shell/not-found.tsx'
import type { Capability } from '#shared/kernel/permissions.ts'
import type { Facts } from '../facts.ts'
import { loadPart, MissingPart } from '../hydration/missing-part.ts'

/** Facts about a route for the server and the page frame. */
export interface PageHandle {
  /** The file whose scripts and styles the page needs. */
  readonly module?: string
  /** Text namespaces besides the common ones. */
  readonly ns?: readonly string[]
  /** The page's name in the breadcrumb, or whose name it shows. */
  readonly crumb?: TitleKey | 'chat' | 'bulkSend' | 'template' | 'flow' | 'people'
  /** False: it shows no dates at first. */
  readonly hasDates?: boolean
  /** True: elements marked `data-first` hydrate before the frame. */
  readonly comesFirst?: boolean
  /** A file it loads in wide windows, fetched together with the page's scripts. */
  readonly whenWide?: (facts: Facts) => string | undefined
}

/** The exports of a page file. */
interface PageModule {
  readonly default: ComponentType
  readonly loader?: LoaderFunction
}

interface PageOptions {
  readonly crumb?: PageHandle['crumb']
  readonly hasDates?: PageHandle['hasDates']
  readonly comesFirst?: PageHandle['comesFirst']
  readonly whenWide?: PageHandle['whenWide']
  /** Roles without it are sent to `/unauthorized`. */
  readonly needs?: Capability
  /** Shown if the page fails; default: the general error page. */
  readonly failed?: ReactElement
}

const files = import.meta.glob<PageModule>([
  '../../*/**/page.tsx',
  '../../*/**/*-page.tsx',
  '!../**',
  '!../../shell/error-page.tsx',
])

type PageRoute = Pick<RouteObject, 'handle' | 'lazy' | 'errorElement'>

/** A page in its own chunk: `file` below `client/`, `ns` the texts it needs besides `common` and `shell`. */
export const page = (
  file: string,
  ns: readonly string[] = [],
  { crumb, needs, failed, hasDates, comesFirst, whenWide }: PageOptions = {},
): PageRoute => {
  const load = files[`../../${file}`]
  if (!load) throw new Error(`There is no page client/${file}`)
  const handle: PageHandle = { module: `client/${file}`, ns, crumb, hasDates, comesFirst, whenWide }
  return {
    handle,
    errorElement: failed ?? <ErrorPage />,
    lazy: async () => {
      try {
        const { default: Component, loader } = await loadPart(load)
        if (needs) return { Component, loader: allowed(needs, loader) }
        return loader ? { Component, loader } : { Component }
      } catch (error) {
        // The router shows nothing for a route whose code did not load.
        if (error instanceof MissingPart) return { Component: MissingPartFault }
        throw error
      }
    },
  }
}

/** An unknown address. Inside the frame, the frame stays. */
export const nowhere = { loader: notFoundLoader, errorElement: <ErrorPage /> }
export const alias = (to: Parameters<typeof aliasOf>[0]) => ({ loader: aliasOf(to), errorElement: <ErrorPage /> })

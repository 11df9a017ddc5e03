import type { Config } from '#server/platform/config/config.ts'
import { appErrors } from '#server/platform/http/errors.ts'

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']

/**
 * The origins of our own pages: that of PUBLIC_URL and, if that is this machine, its other loopback names, because
 * people open either.
 */
export function trustedOrigins(config: Pick<Config, 'publicUrl' | 'port'>): ReadonlySet<string> {
  const url = new URL(config.publicUrl)
  const origins = new Set([url.origin])
  if (loopbackHosts.includes(url.hostname))
    for (const host of loopbackHosts) {
      origins.add(new URL(`${url.protocol}//${host}${url.port ? `:${url.port}` : ''}`).origin)
      if (config.port) origins.add(`http://${host}:${config.port}`)
    }
  return origins
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const ownSites = new Set(['same-origin', 'none'])

/**
 * Refuses a changing request that another site's page makes with our cookie. A request without both headers is not from
 * a browser: browsers send Origin with every changing request, and a page cannot suppress it.
 * @throws APP_CROSS_ORIGIN
 */
export function refuseCrossOrigin(
  method: string,
  headers: { readonly origin?: string | undefined; readonly 'sec-fetch-site'?: string | string[] | undefined },
  origins: ReadonlySet<string>,
): void {
  if (safeMethods.has(method)) return
  const { origin, 'sec-fetch-site': site } = headers
  const isOwnOrigin = origin === undefined || origins.has(origin)
  const isOwnSite = site === undefined || (typeof site === 'string' && ownSites.has(site))
  // The first origin is that of PUBLIC_URL, which the error text names.
  const [address = ''] = origins
  if (!isOwnOrigin || !isOwnSite)
    throw appErrors.CROSS_ORIGIN({ params: { address }, textCode: 'APP_CROSS_ORIGIN_ADDRESS' })
}

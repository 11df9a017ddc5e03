import { BlockList, isIP } from 'node:net'
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Facts, Site } from '#client/app/facts.ts'
import type { Pages } from '#client/app/pages.tsx'
import {
  contactColumnsKey,
  contactSideKey,
  flowViewKey,
  isThemeChoice,
  sidebarKey,
  themeKey,
  timeZoneKey,
} from '#client/app/preferences/preference.ts'
import { scriptSafe } from '#client/app/rendering/script-safe.ts'
import { randomBytes } from '#server/platform/crypto/random.ts'
import { facebookHeaders, pagePolicy, securityHeaders } from '#server/platform/http/plugins/headers.ts'
import { refusalIn, retryAfterOf } from '#server/platform/http/refusals.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { languageOf, type ServerI18n } from '#server/platform/text/i18n.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { defaultTimeZone, isTimeZone } from '#shared/kernel/time.ts'
import type { PageAssets } from './assets.ts'
import { createClientFiles } from './client-files.ts'
import { codingOf } from './compression.ts'
import type { InProcessApi } from './in-process-api.ts'
import { registerLocales } from './locales.ts'
import { plainErrorPage } from './plain-error.ts'
import { streamPage } from './render.ts'
import { registerServiceWorker } from './service-worker.ts'

interface WebParts {
  readonly publicUrl: string
  readonly clock: Clock
  readonly api: InProcessApi
  readonly i18n: ServerI18n
  /** The built page bundle. Called for each request, so that development can return a new one. */
  pages(): Pages | Promise<Pages>
  readonly assets: PageAssets
  /** Folder of the client build; undefined where another server serves the files. */
  readonly clientDir?: string
  /** Public facts about this installation. */
  site(): Site | Promise<Site>
  /** The organization's time zone, for browsers that have not sent theirs; undefined: none is set. */
  readTimeZone?(orgId: string): Promise<string>
  /** A page that takes longer is cut off; the browser asks for the missing data itself. */
  readonly timeoutMs?: number
}

/** Crawlers, which run no scripts. */
const bots = /bot|crawl|spider|slurp|preview|facebookexternalhit|whatsapp|telegram|embedly|lighthouse-bot/i
const pageTimeoutMs = 10_000
/** @see paths.facebook */
const facebookPage = /^\/org\/[^/]+\/settings\/whatsapp\/facebook(?:$|[/?])/
/** Addresses for programs: an unknown one is answered with JSON, never with a page. */
const noPages = /^\/(?:api|webhooks|sandbox|assets|locales|healthz|readyz)(?:\/|\?|$)/

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')
/** A connection that has ended has no address. */
const isLoopback = (address: string | undefined): boolean => {
  const version = isIP(address ?? '')
  return address !== undefined && version !== 0 && loopback.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/** `//x` and `http://x` in a request line do not name another site: the whole text is a path of this one. */
const pageAddress = (url: string, publicUrl: string): URL =>
  new URL(`${new URL(publicUrl).origin}${url.startsWith('/') ? url : '/'}`)

/** Serves the pages, assets and texts. Register it last: it answers every address that no other route has. */
export function createWeb(parts: WebParts): FastifyPluginAsync {
  const { api, i18n, assets, publicUrl } = parts
  const prefix = publicUrl.startsWith('https:') ? '__Host-' : ''
  /** A preference that the browser stores in a cookie (`client/ui/page/remember.ts`). */
  const cookie = (request: FastifyRequest, name: string): string | undefined =>
    (request as { cookies?: Record<string, string | undefined> }).cookies?.[prefix + name]
  const base = securityHeaders(publicUrl)

  /** The time zone of the organization in the address, otherwise of the active one. */
  const zoneOfOrg = async ({ caller, url }: FastifyRequest): Promise<string> => {
    if (!caller.person || !parts.readTimeZone) return defaultTimeZone
    const member = await caller.member(/^\/org\/([\w-]+)/.exec(url)?.[1])
    return (member && (await parts.readTimeZone(member.orgId))) ?? defaultTimeZone
  }

  /** The folder of mail is shown only to somebody who can read it there. */
  const siteFor = async (request: FastifyRequest): Promise<Site> => {
    const site = await parts.site()
    return {
      ...site,
      writesMail: site.writesMail === true && isLoopback(request.ip),
    }
  }

  const factsOf = async (request: FastifyRequest): Promise<Facts> => {
    const theme = cookie(request, themeKey)
    const timeZone = cookie(request, timeZoneKey)
    const sidebar = cookie(request, sidebarKey)
    return {
      language: request.caller.language,
      theme: isThemeChoice(theme) ? theme : 'system',
      timeZone: timeZone && isTimeZone(timeZone) ? timeZone : await zoneOfOrg(request),
      sidebar: sidebar === 'true' || sidebar === 'false' ? sidebar === 'true' : null,
      contactSide: cookie(request, contactSideKey) !== 'false',
      contactColumns: cookie(request, contactColumnsKey) ?? '',
      flowsAsLists: cookie(request, flowViewKey) === 'outline',
      now: parts.clock.now().getTime(),
      requestId: request.id,
      isSignedIn: request.caller.person !== null,
      actsAs: request.caller.person?.impersonatedBy === undefined ? null : request.caller.person.name,
      localesVersion: i18n.version,
      publicUrl,
      site: await siteFor(request),
    }
  }

  /** Texts by language and namespaces, escaped for a script. Cached: sixty kilobytes, the same for every visitor of a page. */
  const printedTexts = new Map<string, Buffer>()
  const textsOf = (language: string, namespaces: readonly string[]): Buffer => {
    const key = `${language} ${namespaces.join(' ')}`
    const known = printedTexts.get(key)
    if (known !== undefined) return known
    const parts = namespaces.flatMap(namespace => {
      const json = i18n.json(language, namespace)
      return json === undefined ? [] : [`${JSON.stringify(namespace)}:${json}`]
    })
    const printed = Buffer.from(scriptSafe(`{${parts.join(',')}}`))
    printedTexts.set(key, printed)
    return printed
  }

  const sendRedirect = (reply: FastifyReply, response: Response) => {
    const location = response.headers.get('location')
    reply.header('cache-control', 'no-store')
    if (location) return reply.redirect(location, response.status)
    return reply.status(response.status).send(response.body)
  }

  const servePage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (noPages.test(request.url)) return reply.callNotFound()
    const facts = await factsOf(request)
    const translate = i18n.translator(facts.language)
    const nonce = randomBytes(16).toString('base64')
    const page = await (await parts.pages()).open(new Request(pageAddress(request.url, publicUrl)), {
      apiFor: api.open({
        caller: request.caller,
        requestId: request.id,
        translate,
        log: request.log,
        asOf: request.asOf,
      }),
      print: api.print,
      i18n: i18n.instance(facts.language),
      facts,
      nonce,
    })
    if (page instanceof Response) return sendRedirect(reply, page)
    reply.hijack()
    const ending = await streamPage({
      page,
      raw: reply.raw,
      nonce,
      coding: codingOf(request.headers['accept-encoding']),
      assets,
      headers: {
        ...(reply.getHeaders() as Record<string, string>),
        ...base,
        'content-security-policy': pagePolicy(nonce),
        ...(facts.site.facebook?.isSimulated === false && facebookPage.test(request.url) ? facebookHeaders(nonce) : {}),
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        vary: 'Cookie, Accept-Language, Accept-Encoding',
        'x-request-id': request.id,
        ...(page.retryAfter === undefined ? {} : { 'retry-after': page.retryAfter }),
      },
      boot: [`{"facts":${scriptSafe(JSON.stringify(facts))},"texts":`, textsOf(facts.language, page.namespaces), '}'],
      isWhole: bots.test(request.headers['user-agent'] ?? ''),
      isHead: request.method === 'HEAD',
      timeoutMs: parts.timeoutMs ?? pageTimeoutMs,
      log: request.log,
      plainError: () => plainErrorPage(facts.language, translate, request.id, nonce),
    })
    request.log.debug({ ending }, 'page ended')
    return reply
  }

  /** An error before rendering is answered with an error page, with the same status as over HTTP. */
  const sendFailure = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    // The outer error handler answers with JSON.
    if (noPages.test(request.url)) throw error
    const language = request.caller?.language ?? languageOf(request)
    const nonce = randomBytes(16).toString('base64')
    const known = refusalIn(error)
    const isAsked = error.statusCode !== undefined && error.statusCode < 500 && error.code?.startsWith('FST_')
    const status = known?.status ?? (isAsked ? (error.statusCode as number) : 500)
    if (status >= 500) request.log.error({ err: errorFacts(error), requestId: request.id }, 'a page could not begin')
    const retryAfter = known && retryAfterOf(known)
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
    return reply
      .status(status)
      .headers({ ...base, 'content-security-policy': pagePolicy(nonce), 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(plainErrorPage(language, i18n.translator(language), request.id, nonce))
  }

  return async app => {
    app.setErrorHandler(sendFailure)
    registerLocales(app, i18n)
    registerServiceWorker(app)
    if (parts.clientDir) await app.register(createClientFiles(parts.clientDir))
    app.route({ method: 'GET', url: '/', handler: servePage })
    app.route({ method: 'GET', url: '/*', handler: servePage })
  }
}

import type { FastifyInstance } from 'fastify'
import type { Orgs } from '#server/identity/orgs/service.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { type Caller, innerCallers, isCall, isForAgents, keyTextOf } from '#server/platform/http/access.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { languageOf } from '#server/platform/text/i18n.ts'
import { versionAtFirstCall } from '#server/platform/work/memo.ts'
import { keyPrefix } from '#shared/auth/api-keys.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { Auth } from '../auth.ts'
import { refuseCrossOrigin } from '../calls/origins.ts'
import { isProgramToken } from '../programs/tokens.ts'
import { cookieValue } from './cookie.ts'

interface SessionParts {
  readonly auth: Pick<Auth, 'personOf' | 'renewedCookie' | 'readKeyHolder' | 'readProgramHolder' | 'trustedOrigins'>
  readonly orgs: Pick<Orgs, 'memberOf'>
  /** @see Databases.version */
  readonly databases: Pick<Databases, 'version'>
}

/**
 * Sets `request.caller`, and refuses changing calls that come from another site's page. Call it on the outermost
 * instance, before routes are added. A request without a cookie costs no query.
 */
export function installSession(app: FastifyInstance, { auth, orgs, databases }: SessionParts): void {
  const [origin = ''] = auth.trustedOrigins
  const languageCookie = `${origin.startsWith('https:') ? '__Host-' : ''}i18next`
  app.decorateRequest('caller', null as never)
  app.decorateRequest('actor', null as never)
  app.decorateRequest('asOf', null as never)
  app.addHook('onRequest', async (request, reply) => {
    const { cookie } = request.headers
    const language = languageOf({
      query: request.query,
      cookies: cookie ? { i18next: cookieValue(cookie, languageCookie) } : {},
      headers: request.headers,
    })
    // First, so that refusals below are in the right language.
    request.caller = { language, person: null, member: async () => undefined }
    request.asOf = versionAtFirstCall(databases.version)
    const inner = innerCallers.getStore()
    if (inner) {
      request.caller = inner
      return
    }
    const route = request.routeOptions.url
    const called = isCall(route, request.url) || isForAgents(route, request.url)
    if (called) refuseCrossOrigin(request.method, request.headers, auth.trustedOrigins)
    if (called && hasKeyInAddress(request.url)) throw appErrors.KEY_IN_ADDRESS()
    const key = keyTextOf(request)
    if (key !== undefined) {
      // Tokens of programs are made for this address alone.
      const find = isForAgents(route, request.url) && isProgramToken(key) ? auth.readProgramHolder : auth.readKeyHolder
      request.caller = await keyCaller(key, find, { language, from: request.ip })
      return
    }
    const person = await auth.personOf({ cookie }, language)
    if (!person) return
    request.caller = callerOf(person, orgs)
    const renewed = auth.renewedCookie(cookie)
    if (renewed !== undefined) reply.header('set-cookie', renewed)
  })
}

/**
 * API keys are not allowed in an address, because addresses end up in logs, histories and proxies. Percent-encoded
 * letters are decoded first.
 */
const hasKeyInAddress = (url: string): boolean => {
  const query = url.slice(url.indexOf('?') + 1)
  if (query === url || (!/key|%/i.test(query) && !query.includes(keyPrefix))) return false
  return [...new URLSearchParams(query)].some(
    ([name, value]) => keyNames.has(name.toLowerCase()) || value.startsWith(keyPrefix),
  )
}
const keyNames = new Set(['x-api-key', 'api-key', 'api_key', 'apikey'])

/** With a key the cookie is ignored: a request with an expired key must not continue as the signed-in person. */
const keyCaller = async (
  text: string | string[],
  find: SessionParts['auth']['readKeyHolder'],
  { language, from }: { language: Language; from: string },
): Promise<Caller> => {
  const key = typeof text === 'string' ? await find(text.trim(), language, from) : undefined
  const isOwn = (org?: string) => org === undefined || org === key?.orgId || org === key?.orgSlug
  return { language, person: null, key: key ?? 'invalid', member: async org => (isOwn(org) ? key : undefined) }
}

const callerOf = (person: NonNullable<Caller['person']>, orgs: SessionParts['orgs']): Caller => {
  const asked = new Map<string | undefined, Promise<OrgCaller | undefined>>()
  return {
    language: person.language,
    person,
    member(org) {
      let answer = asked.get(org)
      if (!answer) {
        answer = orgs.memberOf(person, org)
        asked.set(org, answer)
      }
      return answer
    },
  }
}

import type { FastifyInstance } from 'fastify'
import type { Caller } from '../access.ts'
import type { Member } from '../actor.ts'
import type { Auth } from '../auth/auth.ts'
import { cookieValue } from '../auth/cookie.ts'
import { refuseCrossOrigin } from '../auth/origins.ts'
import { languageOf } from '../i18n.ts'
import type { Orgs } from '../orgs/service.ts'

interface SessionParts {
  readonly auth: Pick<Auth, 'personOf' | 'trustedOrigins'>
  readonly orgs: Pick<Orgs, 'memberOf'>
}

/** Decoded addresses decide: `/%61pi/…` reaches `/api/…` too. */
const isCall = (route: string | undefined, url: string): boolean => (route ?? url).startsWith('/api/')

/**
 * Says on every request who is asking, and refuses changing calls that come from another site's page. Call it on the
 * outermost instance, before routes. Without a cookie it costs no query.
 */
export function installSession(app: FastifyInstance, { auth, orgs }: SessionParts): void {
  app.decorateRequest('caller', null as never)
  app.decorateRequest('actor', null as never)
  app.addHook('onRequest', async request => {
    const { cookie } = request.headers
    const language = languageOf({
      query: request.query,
      cookies: cookie ? { i18next: cookieValue(cookie, 'i18next') } : {},
      headers: request.headers,
    })
    // First of all, so that a refusal below is told in the right language.
    request.caller = { language, person: null, member: async () => undefined }
    if (isCall(request.routeOptions.url, request.url))
      refuseCrossOrigin(request.method, request.headers, auth.trustedOrigins)
    const person = await auth.personOf({ cookie }, language)
    if (person) request.caller = callerOf(person, orgs)
  })
}

const callerOf = (person: NonNullable<Caller['person']>, orgs: SessionParts['orgs']): Caller => {
  const asked = new Map<string | undefined, Promise<Member | undefined>>()
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

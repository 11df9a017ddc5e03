import { type Static, Type } from 'typebox'
import type { Language } from '#shared/language.ts'
import { effectiveRole, roleCan } from '#shared/permissions.ts'
import type { Person } from '../actor.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { type Databases, inTransaction } from '../db.ts'
import { AppError, appErrors } from '../errors.ts'
import type { ServerI18n } from '../i18n.ts'
import type { Log } from '../log.ts'
import { type Mail, maskAddress } from '../mail/mail.ts'
import { errorFacts } from '../redact.ts'
import { readerOf } from '../validate.ts'
import { DeleteUser, SendCode, SignIn, UpdateOrganization } from './bodies.ts'
import { type Budget, type Budgets, createBudgets } from './budget.ts'
import { cookieKey, isSecureUrl, sessionCookieName, signedCookieValue } from './cookie.ts'
import { type Door, findDoor } from './doors.ts'
import { createErrands, type Errand } from './errand.ts'
import { authErrors } from './errors.ts'
import { addressHeader, authPath, createLibrary, type Library, withdrawCode } from './library.ts'
import { checkQuery } from './list-query.ts'
import { trustedOrigins } from './origins.ts'
import { createPolicy } from './policy.ts'
import { finishReply } from './replies.ts'
import { createSessions, type Sessions, sessionLifetimeMs } from './session.ts'
import {
  deleteEnded,
  findMemberRole,
  findOrganization,
  hasAnyUser,
  hasOrganizationWithSlug,
  hasOtherSiteAdmin,
  hasUserWithEmail,
  listFellowOwners,
} from './store.ts'

export interface AuthParts {
  readonly config: Pick<Config, 'publicUrl' | 'port' | 'signup'>
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly mail: Mail
  readonly i18n: ServerI18n
  readonly secret: string
  /** The language of an organization's mails; undefined, or absent: the one of whoever causes them. */
  languageOf?(orgId: string): Promise<Language | undefined>
  /** Takes an organization out of sight; absent: the library deletes it in one statement. */
  removeOrganization?(orgId: string): Promise<boolean>
  /** Somebody has accepted an invitation; what fails in it is logged and undoes nothing. */
  onJoined?(invitationId: string, newcomer: string): Promise<void>
}

/** What the server knows of a request better than its headers do. */
export interface RequestFacts {
  /** The peer's address, or the one a trusted proxy names. */
  readonly ip: string
  readonly language: Language
}

export interface SessionCookie {
  readonly name: string
  /** As it stands in a `cookie` header. */
  readonly value: string
  /** `name=value`. */
  readonly cookie: string
  /** A whole `set-cookie` header. */
  readonly setCookie: string
}

export interface Auth extends Sessions {
  /**
   * Answers a call below `/api/auth`.
   * @throws AppError for what is refused before the library is asked (404, 400, 429) and for what failed (5xx).
   */
  handler(request: Request, facts: RequestFacts): Promise<Response>
  /**
   * Starts a session for a person without a code, for links the operator prints.
   * @throws when there is no such person.
   */
  issueSession(userId: string): Promise<SessionCookie>
  /** Whether anybody has ever come in. */
  hasAnyone(): Promise<boolean>
  /** Deletes sessions, codes and counts that have ended; answers how many. */
  prune(now: Date): Promise<number>
  readonly trustedOrigins: ReadonlySet<string>
  /** The library itself, for tests that compare with it. */
  readonly library: Library
}

const AnyBody = Type.Object({}, { additionalProperties: true })

const readAny = readerOf('body', AnyBody)
const readSendCode = readerOf('body', SendCode)
const readDeleteUser = readerOf('body', DeleteUser)
const readSignIn = readerOf('body', SignIn)
const readUpdateOrganization = readerOf('body', UpdateOrganization)

const plainEmail = (value: string) => value.trim().toLowerCase()

const parseBody = (text: string): unknown => {
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch (error) {
    throw appErrors.BAD_JSON({ cause: error })
  }
}

/** What a client may claim about where it comes from; only our own word reaches the library. */
const claims = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
]

export function createAuth(parts: AuthParts): Auth {
  const { config, databases, log, i18n, secret } = parts
  const origins = trustedOrigins(config)
  const origin = new URL(config.publicUrl).origin
  const errands = createErrands()
  const policy = createPolicy(parts)
  const budgets = createBudgets(parts)
  const sessions = createSessions(parts)
  const library = createLibrary({ ...parts, policy, errands })

  /** Hands a call to the library: our address, our body, our word about network and session. */
  const forward = async (call: Call, body?: unknown) => {
    const headers = new Headers(call.request.headers)
    for (const name of claims) headers.delete(name)
    headers.set(addressHeader, call.facts.ip)
    // One verdict about who is signed in: the library knows nothing of bans that came after the sign-in.
    const cookie = headers.get('cookie') ?? undefined
    if (cookie && !(await sessions.personOf({ cookie }))) headers.delete('cookie')
    // Programs send no Origin; those that could be another site's page were refused before (`refuseCrossOrigin`).
    if (!headers.has('origin') && !headers.has('referer') && !headers.has('sec-fetch-site'))
      headers.set('origin', origin)
    const { method } = call.request
    const sent = method === 'GET' ? undefined : JSON.stringify(body ?? call.body)
    if (sent !== undefined) headers.set('content-type', 'application/json')
    return library.handler(
      new Request(`${origin}${authPath}${call.door}${call.search}`, { method, headers, body: sent }),
    )
  }

  const answer = async (call: Call, errand: Errand, body?: unknown) => {
    const reply = await errands.run(errand, () => forward(call, body))
    if (reply.status >= 500 && errand.trouble !== undefined) throw errand.trouble
    return finishReply(reply, call.door, call.facts.language, i18n)
  }

  const answers: { readonly [D in Door]?: (call: Call) => Promise<Response> } = {
    '/email-otp/send-verification-otp': async call => {
      const body = readSendCode(call.body) as Static<typeof SendCode>
      const address = plainEmail(body.email)
      const send = budgets.send(address)
      await spend(budgets, [budgets.network(call.facts.ip), send], { [send.key]: authErrors.TOO_MANY_CODES })
      // An address that is not admitted goes the whole way too, code row and all, so that nothing tells it apart.
      const deliver = (await hasUserWithEmail(databases.read, address)) || (await policy.maySignUp(address))
      const errand: Errand = { language: call.facts.language, deliver }
      const reply = await answer(call, errand, { email: address, type: body.type })
      if (errand.failure === undefined) return reply
      if (errand.failure instanceof AppError && errand.failure.code === 'MAIL_RECIPIENT_REFUSED') {
        // Telling would say that the address belongs to somebody here.
        log.warn({ to: maskAddress(address) }, 'the mail server does not take this address')
        return reply
      }
      await budgets.giveBack([send])
      await withdrawCode(library, address)
      throw errand.failure
    },

    '/sign-in/email-otp': async call => {
      const body = readSignIn(call.body) as Static<typeof SignIn>
      const address = plainEmail(body.email)
      const guess = budgets.guess(address)
      const network = budgets.network(call.facts.ip)
      await spend(budgets, [network, guess], { [guess.key]: authErrors.TOO_MANY_GUESSES })
      const reply = await answer(call, plain(call), {
        email: address,
        otp: body.otp.replace(/\s/g, ''),
        name: body.name,
      })
      if (reply.ok) {
        // The network's twice, for the mail and for this call: a whole office coming in at nine is no attack.
        await budgets.giveBack([guess, network, network])
        await budgets.clear(budgets.send(address))
      }
      return reply
    },

    '/organization/get-full-organization': async call => {
      const reply = await answer(call, plain(call))
      const org = reply.ok ? ((await reply.clone().json()) as { id: string; invitations: unknown } | null) : null
      if (!org || (await mayManageMembers(call, org.id))) return reply
      return Response.json({ ...org, invitations: [] }, reply)
    },

    '/organization/list-invitations': async call => {
      const reply = await answer(call, plain(call))
      const [first] = reply.ok ? ((await reply.clone().json()) as { organizationId: string }[]) : []
      return !first || (await mayManageMembers(call, first.organizationId)) ? reply : Response.json([], reply)
    },

    '/delete-user': async call => {
      const person = await personBehind(call)
      if (!person) throw appErrors.SIGN_IN_REQUIRED()
      const { token } = readDeleteUser(call.body) as Static<typeof DeleteUser>
      await requireDispensable(person)
      if (token !== undefined) return answer(call, plain(call), { token })
      const farewell = budgets.farewell(person.userId)
      await spend(budgets, [farewell], { [farewell.key]: authErrors.TOO_MANY_LETTERS })
      const errand = plain(call)
      const reply = await answer(call, errand, {})
      if (errand.failure === undefined) return reply
      await budgets.giveBack([farewell])
      throw authErrors.DELETION_NOT_MAILED({ cause: errand.failure })
    },

    '/organization/create': call => withSlug(call),
    '/organization/update': call => {
      readUpdateOrganization(call.body)
      return withSlug(call)
    },

    // A million messages in one statement would hold everybody's writes up; who may not is refused by the library.
    '/organization/delete': async call => {
      const { organizationId } = call.body
      const person = await personBehind(call)
      const role =
        person && typeof organizationId === 'string'
          ? await findMemberRole(databases.read, person.userId, organizationId)
          : undefined
      const may = role !== undefined && roleCan(effectiveRole(role), 'org:delete')
      if (!parts.removeOrganization || !may || typeof organizationId !== 'string') return answer(call, plain(call))
      const org = await findOrganization(databases.read, organizationId)
      await parts.removeOrganization(organizationId)
      return Response.json(org, { headers: { 'cache-control': 'no-store' } })
    },

    '/organization/accept-invitation': async call => {
      const reply = await answer(call, plain(call))
      const { invitationId } = call.body
      if (reply.ok && parts.onJoined && typeof invitationId === 'string')
        try {
          await parts.onJoined(invitationId, (await personBehind(call))?.name ?? '')
        } catch (error) {
          log.error({ err: errorFacts(error) }, 'whoever invited was not told of the newcomer')
        }
      return reply
    },

    '/organization/invite-member': async call => {
      const person = await personBehind(call)
      if (!person) throw appErrors.SIGN_IN_REQUIRED()
      const invite = budgets.invite(person.userId)
      await spend(budgets, [invite], { [invite.key]: authErrors.TOO_MANY_INVITATIONS })
      const errand = plain(call)
      const reply = await answer(call, errand)
      if (errand.failure !== undefined) throw authErrors.INVITATION_NOT_MAILED({ cause: errand.failure })
      return reply
    },
  }

  const personBehind = (call: Call) => sessions.personOf({ cookie: call.request.headers.get('cookie') ?? undefined })

  /** @throws AUTH_LAST_OWNER, AUTH_LAST_SITE_ADMIN: without this person nobody could manage what stays. */
  const requireDispensable = async ({ userId, siteRole, language }: Person) => {
    const owners = (await listFellowOwners(databases.read, userId)).filter(
      ({ role }) => effectiveRole(role) === 'owner',
    )
    const shared = new Set(owners.flatMap(owner => (owner.userId === userId ? [] : owner.orgId)))
    const alone = owners.filter(owner => owner.userId === userId && !shared.has(owner.orgId)).map(({ name }) => name)
    if (alone.length)
      throw authErrors.LAST_OWNER({ params: { organizations: new Intl.ListFormat(language).format(alone) } })
    if (siteRole === 'admin' && !(await hasOtherSiteAdmin(databases.read, userId))) throw authErrors.LAST_SITE_ADMIN()
  }

  /** The library shows every member who else was invited; the addresses are for those who invite. */
  const mayManageMembers = async (call: Call, orgId: string) => {
    const person = await personBehind(call)
    const role = person && (await findMemberRole(databases.read, person.userId, orgId))
    return roleCan(effectiveRole(role ?? ''), 'member:manage')
  }

  /** Two people taking one address at once pass the library's look; the unique column stops one of them. */
  const withSlug = async (call: Call) => {
    try {
      return await answer(call, plain(call))
    } catch (error) {
      const { slug } = ((call.door === '/organization/update' ? call.body.data : call.body) ?? {}) as { slug?: unknown }
      const failed = error instanceof AppError && error.status >= 500
      if (failed && typeof slug === 'string' && (await hasOrganizationWithSlug(databases.read, slug)))
        throw authErrors.ORGANIZATION_SLUG_ALREADY_TAKEN({ cause: error })
      throw error
    }
  }

  return {
    ...sessions,
    trustedOrigins: origins,
    library,

    async handler(request, facts) {
      const url = new URL(request.url)
      const door = url.pathname.startsWith(`${authPath}/`)
        ? findDoor(request.method, url.pathname.slice(authPath.length))
        : undefined
      if (!door) throw appErrors.NOT_FOUND()
      checkQuery(door, url.searchParams)
      const body = request.method === 'GET' ? {} : (readAny(parseBody(await request.text())) as Record<string, unknown>)
      const call: Call = { request, facts, door, search: url.search, body }
      return (answers[door] ?? (one => answer(one, plain(one))))(call)
    },

    hasAnyone: () => hasAnyUser(databases.read),
    prune: now => inTransaction(databases, trx => deleteEnded(trx, now.toISOString())),

    async issueSession(userId) {
      const { internalAdapter } = await library.$context
      const session = await internalAdapter.createSession(userId)
      const name = sessionCookieName(config.publicUrl)
      const value = signedCookieValue(session.token, cookieKey(secret))
      const cookie = `${name}=${value}`
      const secure = isSecureUrl(config.publicUrl) ? '; Secure' : ''
      return {
        name,
        value,
        cookie,
        setCookie: `${cookie}; Max-Age=${sessionLifetimeMs / 1000}; Path=/; HttpOnly; SameSite=Lax${secure}`,
      }
    },
  }
}

interface Call {
  readonly request: Request
  readonly facts: RequestFacts
  readonly door: Door
  readonly search: string
  readonly body: Record<string, unknown>
}

const plain = (call: Call): Errand => ({ language: call.facts.language, deliver: true })

type Refusals = Readonly<
  Record<string, (facts: { retryAfterSeconds: number; params: { minutes: number } }) => AppError>
>

/** Takes the budgets or refuses with the reason of the one that is used up. */
const spend = async (budgets: Budgets, wanted: readonly Budget[], refusals: Refusals) => {
  const refused = await budgets.take(wanted)
  if (!refused) return
  const { retryAfterSeconds, exhausted } = refused
  const refuse = refusals[exhausted.key] ?? authErrors.TOO_MANY_REQUESTS
  throw refuse({ retryAfterSeconds, params: { minutes: Math.ceil(retryAfterSeconds / 60) } })
}

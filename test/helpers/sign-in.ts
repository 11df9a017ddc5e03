import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify'
import { createAccountAudit } from '#server/features/audit/account-audit.ts'
import { type AuthParts, createAuth } from '#server/identity/auth/auth.ts'
import { mountAuth } from '#server/identity/auth/calls/routes.ts'
import type { PasswordHashing } from '#server/identity/auth/passwords/password-hashing.ts'
import { createSessionList } from '#server/identity/auth/sessions/session-list.ts'
import { installSession } from '#server/identity/auth/sessions/session-plugin.ts'
import type { Streams } from '#server/identity/auth/sessions/streams.ts'
import type { ResolveTxt } from '#server/identity/auth/sso/domain.ts'
import { createRemoval } from '#server/identity/orgs/removal/removal.ts'
import { createOrgs } from '#server/identity/orgs/service.ts'
import { createScopes } from '#server/identity/visibility/scopes.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { createVault } from '#server/platform/crypto/secrets.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { createListeners } from '#server/platform/events/listeners.ts'
import { createWrites } from '#server/platform/events/writes.ts'
import { mount, type Once } from '#server/platform/http/http.ts'
import { installErrorReply } from '#server/platform/http/plugins/error-reply.ts'
import { installParsers } from '#server/platform/http/plugins/parsers.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import { createMail, type Mail } from '#server/platform/mail/mail.ts'
import { createOutbound } from '#server/platform/outbound/outbound.ts'
import { type Clock, systemClock } from '#server/platform/time/clock.ts'
import { emailChangeApi } from '#shared/auth/email-change.ts'
import { passwordsApi } from '#shared/auth/passwords.ts'
import { secondFactorApi } from '#shared/auth/second-factor.ts'
import { sessionsApi } from '#shared/auth/sessions.ts'
import { ssoApi } from '#shared/auth/sso.ts'
import { orgsApi } from '#shared/orgs/api.ts'
import { testSecret } from './actors.ts'
import { freshDatabases } from './db.ts'
import { i18n } from './i18n.ts'

const once: Once = async (_request, _reply, run) => run()
const noStreams: Streams = { dropUser() {}, dropMember() {} }

interface Options {
  env?: Record<string, string>
  clock?: Clock
  mail?: Mail
  databases?: Databases
  trustProxy?: boolean
  streams?: Streams
  hashing?: PasswordHashing
  outboundFetch?: typeof fetch
  resolveTxt?: ResolveTxt
}

/** An installation with sign-in only, on a real database. `end` stops it. */
export async function anInstallation(options: Options = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-sign-in-'))
  const config: Config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...options.env })
  const databases = options.databases ?? (await freshDatabases())
  const app: FastifyInstance = Fastify({ trustProxy: options.trustProxy ?? false })
  const log = app.log
  const clock = options.clock ?? systemClock
  const mail = options.mail ?? createMail({ config, clock, log })
  const writes = createWrites({ databases, log, listeners: createListeners() })
  const jobs = createJobs({ databases, writes, clock, log, ids: newId })
  const removal = createRemoval({ databases, clock, log, jobs, forgetNumbers() {}, async removeFiles() {} })
  jobs.start()
  const parts: AuthParts = {
    scopes: createScopes({ databases }),
    config,
    databases,
    clock,
    log,
    writes,
    mail,
    i18n,
    secret: testSecret,
    vault: createVault(testSecret),
    jobs,
    outbound: createOutbound({ fetch: options.outboundFetch ?? (async () => new Response(null, { status: 404 })) }),
    resolveTxt: options.resolveTxt ?? (async () => []),
    removeOrganization: orgId => removal.hide(orgId),
    onJoining: createAccountAudit({ databases, clock, log, ids: newId }).recordJoining,
    ...(options.streams ? { streams: options.streams } : {}),
    ...(options.hashing ? { hashing: options.hashing } : {}),
  }
  const auth = createAuth(parts)
  const orgs = createOrgs({ databases, scopes: createScopes({ databases }) })
  installErrorReply(app, { translate: (language, key, params) => i18n.translator(language)(key, params) })
  installParsers(app)
  installSession(app, { auth, orgs, databases })
  mountAuth(app, { auth, turn: databases.turn })
  mount(app, 'sso', ssoApi, auth.sso, once)
  mount(app, 'orgs', orgsApi, orgs, once)
  mount(app, 'emailChange', emailChangeApi, auth.emailChange, once)
  mount(app, 'secondFactor', secondFactorApi, auth.secondFactor, once)
  mount(
    app,
    'sessions',
    sessionsApi,
    createSessionList({ databases, clock, streams: options.streams ?? noStreams }),
    once,
  )
  mount(app, 'passwords', passwordsApi, auth.passwords, once)

  const letters = () => {
    try {
      return readdirSync(join(dataDir, 'mail'))
        .filter(name => name.endsWith('.eml'))
        .sort()
        .map(name => readFileSync(join(dataDir, 'mail', name), 'utf8'))
    } catch {
      return []
    }
  }

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: `/api/auth${path}`,
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(body),
    })
  const get = (path: string, headers: Record<string, string> = {}) => app.inject({ url: `/api/auth${path}`, headers })
  const askCode = (email: string, headers?: Record<string, string>) =>
    post('/email-otp/send-verification-otp', { email, type: 'sign-in' }, headers)
  const enter = (email: string, otp: string, headers?: Record<string, string>) =>
    post('/sign-in/email-otp', { email, otp }, headers)
  const lastCode = () => newestCode(letters())

  return {
    app,
    auth,
    orgs,
    config,
    databases,
    dataDir,
    jobs,
    letters,
    /** All letters, after sending the queued ones. */
    async sentLetters() {
      await jobs.idle()
      return letters()
    },
    post,
    get,
    askCode,
    enter,
    lastCode,
    /** Signs in by mailed code. Returns the `cookie` header. */
    async signIn(email: string): Promise<string> {
      await askCode(email)
      return cookieOf(await enter(email, lastCode()))
    },
    async end() {
      await app.close()
      await jobs.stop()
      await databases.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The code in a letter: six digits alone on a line of its plain part. */
export const codeIn = (letter: string | undefined): string => {
  const code = letter?.match(/^(\d{6})\r?$/m)?.[1]
  if (!code) throw new Error(`No code in the letter: ${letter}`)
  return code
}

/** The code in the newest letter that has one. Letters about changes have none and can come in between. */
export const newestCode = (letters: string[]): string =>
  codeIn(letters.findLast(letter => /^\d{6}\r?$/m.test(letter)) ?? letters.at(-1))

/** The cookies that a browser would send after a response: of two with one name the later, and no empty ones. */
export const cookieOf = (reply: LightMyRequestResponse): string => {
  const jar = new Map<string, string>()
  for (const line of [reply.headers['set-cookie'] ?? []].flat()) {
    const [pair = ''] = line.split(';')
    jar.set(pair.slice(0, pair.indexOf('=')), pair)
  }
  return [...jar.values()].filter(pair => !pair.endsWith('=')).join('; ')
}

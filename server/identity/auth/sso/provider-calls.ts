import type { Static } from 'typebox'
import type { Config } from '#server/platform/config/config.ts'
import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { type SsoProvider, ssoCallbackPath } from '#shared/auth/sso.ts'
import type { AuthAnswers, AuthCall } from '../calls/call.ts'
import { requireManager } from '../calls/require-manager.ts'
import { ChangeSsoProvider, NameSsoProvider, RegisterSsoProvider, VerifySsoDomain } from '../calls/schemas.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import type { Budgets } from '../sign-in/budget.ts'
import { requireProviderWhereDemanded } from './demand.ts'
import { domainRecord, lookForRecord, type ResolveTxt } from './domain.ts'
import type { DomainMail } from './domain-mail.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { secretContext } from './provider-client.ts'
import {
  deleteProvider,
  findDomainOwner,
  findProvider,
  findProviderOf,
  listProviders,
  type ProviderRow,
  updateProvider,
  withdrawVerification,
} from './provider-store.ts'
import { registerProvider, requireTeam } from './registering.ts'

interface ProviderCallParts {
  readonly config: Pick<Config, 'publicUrl'>
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly vault: Vault
  readonly budgets: Budgets
  readonly identityProvider: IdentityProvider
  readonly resolveTxt: ResolveTxt
  readonly domainMail: Pick<DomainMail, 'take'>
}

const readRegister = readerOf('body', RegisterSsoProvider)
const readChange = readerOf('body', ChangeSsoProvider)
const readName = readerOf('body', NameSsoProvider)
const readVerify = readerOf('body', VerifySsoDomain)
const answerWith = (body: object): Response => Response.json(body, { headers: { 'cache-control': 'no-store' } })

/** Lists, registers, changes, verifies and deletes an organization's providers. Client secrets are never returned. */
export function createProviderCalls(parts: ProviderCallParts): AuthAnswers {
  const { config, databases, clock, vault, writes, budgets, resolveTxt, domainMail } = parts

  const present = (row: ProviderRow): SsoProvider => ({
    id: row.id,
    providerId: row.id,
    name: row.name,
    domain: row.domain,
    status: row.is_active === 1 ? 'active' : 'inactive',
    createdAt: row.created_at,
    issuer: row.issuer,
    clientId: row.client_id,
    authorizationEndpoint: row.authorization_endpoint,
    tokenEndpoint: row.token_endpoint,
    userInfoEndpoint: row.user_info_endpoint,
    jwksEndpoint: row.jwks_endpoint,
    role: row.role,
    teamId: row.team_id,
    domainVerifiedAt: row.domain_verified_at,
    domainProof: row.domain_proof as SsoProvider['domainProof'],
    domainRecord: domainRecord(row.domain, row.domain_token),
    callbackUrl: `${config.publicUrl}${ssoCallbackPath(row.id)}`,
  })

  const refuseImpersonation = ({ impersonatedBy }: Member) => {
    if (impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
  }

  /** The named provider and the caller. Another organization's provider answers 404. */
  const requireProvider = async (call: AuthCall, providerId: string) => {
    if (!call.person) throw appErrors.SIGN_IN_REQUIRED()
    const row = await findProvider(databases.read, providerId)
    const isIn = row !== undefined && (await call.member(row.org_id))?.orgId === row.org_id
    if (!isIn) throw authErrors.SSO_PROVIDER_NOT_FOUND()
    const member = await requireManager('sso:manage', call, row.org_id)
    refuseImpersonation(member)
    return { row, member }
  }

  /** Changes of providers count as changes of the organization. */
  const change = (member: Member, work: (db: OrgWrite['db']) => Promise<void>) =>
    writes.run(member.orgId, actorOf(member), async ({ db, emit }) => {
      await work(db)
      emit({ type: 'organization.changed', data: {} })
    })

  const requireRecord = async (row: ProviderRow) => {
    const record = domainRecord(row.domain, row.domain_token)
    const looked = await lookForRecord(resolveTxt, record)
    if (looked === 'unreachable') throw authErrors.SSO_DNS_UNREACHABLE()
    if (looked === 'missing') throw authErrors.SSO_RECORD_MISSING({ params: record })
  }

  const reread = async ({ org_id, id }: ProviderRow): Promise<Response> => {
    const row = await findProviderOf(databases.read, org_id, id)
    if (!row) throw authErrors.SSO_PROVIDER_NOT_FOUND()
    return answerWith(present(row))
  }

  return {
    '/sso/providers': async call => {
      const { orgId } = await requireManager('sso:manage', call, new URLSearchParams(call.search).get('organizationId'))
      return answerWith({ providers: (await listProviders(databases.read, orgId)).map(present) })
    },

    '/sso/register': async call => {
      const member = await requireManager('sso:manage', call, call.body.organizationId)
      refuseImpersonation(member)
      const { orgId } = member
      const body = readRegister(call.body) as Static<typeof RegisterSsoProvider>
      await registerProvider(parts, orgId, body, work => change(member, work))
      const row = await findProviderOf(databases.read, orgId, body.providerId)
      return answerWith(present(row as ProviderRow))
    },

    '/sso/update-provider': async call => {
      const body = readChange(call.body) as Static<typeof ChangeSsoProvider>
      const { row, member } = await requireProvider(call, body.providerId)
      if (body.status === 'active' && row.domain_verified_at === null) throw authErrors.SSO_DOMAIN_NOT_VERIFIED()
      await change(member, async db => {
        await requireTeam(db, row.org_id, body.teamId)
        await updateProvider(db, row.org_id, row.id, {
          ...(body.status === undefined ? {} : { is_active: body.status === 'active' ? 1 : 0 }),
          ...(body.clientId === undefined ? {} : { client_id: body.clientId }),
          ...(body.clientSecret === undefined
            ? {}
            : { client_secret: vault.encrypt(body.clientSecret, secretContext(row.org_id, row.id)) }),
          ...(body.role === undefined ? {} : { role: body.role }),
          ...(body.teamId === undefined ? {} : { team_id: body.teamId }),
          updated_at: isoNow(clock),
        })
        if (body.status === 'inactive') await requireProviderWhereDemanded(db, row.org_id)
      })
      return reread(row)
    },

    // Verifying a domain activates its provider.
    '/sso/verify-domain': async call => {
      const { providerId, code } = readVerify(call.body) as Static<typeof VerifySsoDomain>
      const { row, member } = await requireProvider(call, providerId)
      // A DNS record upgrades a domain that was verified by mail.
      if (row.domain_proof === 'dns' || (row.domain_verified_at !== null && code !== undefined)) return reread(row)
      await refuseExhausted(budgets, [budgets.ssoCheck(row.org_id)], authErrors.TOO_MANY_REQUESTS)
      if (code === undefined) await requireRecord(row)
      await change(member, async db => {
        if (code !== undefined && !(await domainMail.take(db, row, code)))
          throw authErrors.SSO_DOMAIN_CODE_WRONG({ fields: ['body.code'] })
        const owner = await findDomainOwner(db, row.domain)
        const isOthers = owner !== undefined && owner.orgId !== row.org_id
        if (isOthers && (code !== undefined || owner.domainProof === 'dns')) throw authErrors.SSO_DOMAIN_TAKEN()
        const at = isoNow(clock)
        // DNS proves ownership of the domain, so it overrides another organization's verification by mail.
        if (isOthers) await withdrawVerification(db, row.domain, at)
        const isFirst = row.domain_verified_at === null
        await updateProvider(db, row.org_id, row.id, {
          domain_verified_at: at,
          domain_proof: code === undefined ? 'dns' : 'mail',
          ...(isFirst ? { is_active: 1 } : {}),
          updated_at: at,
        })
      })
      return reread(row)
    },

    '/sso/delete-provider': async call => {
      const { providerId } = readName(call.body) as Static<typeof NameSsoProvider>
      const { row, member } = await requireProvider(call, providerId)
      await change(member, async db => {
        await deleteProvider(db, row.org_id, row.id)
        await requireProviderWhereDemanded(db, row.org_id)
      })
      return answerWith({ success: true })
    },
  }
}

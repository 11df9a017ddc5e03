import type { Config } from '#server/platform/config/config.ts'
import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import type { ServerI18n } from '#server/platform/text/i18n.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { ssoApi } from '#shared/auth/sso.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { AccessLog } from '../accounts/access-log.ts'
import type { CredentialNotices } from '../accounts/credential-notices.ts'
import type { AuthAnswers } from '../calls/call.ts'
import type { OrganizationEffects } from '../organizations/organization-effects.ts'
import type { Streams } from '../sessions/streams.ts'
import type { Budgets } from '../sign-in/budget.ts'
import { createAttempts } from './attempts.ts'
import { createSsoDemand } from './demand.ts'
import type { ResolveTxt } from './domain.ts'
import { createDomainMail } from './domain-mail.ts'
import { createExchange } from './exchange.ts'
import { createIdentityProvider } from './identity-provider.ts'
import { createAdmit } from './newcomers.ts'
import { createProviderCalls } from './provider-calls.ts'
import { createSsoService } from './service.ts'
import { createSsoSignIn } from './sign-in.ts'

interface SsoParts extends Pick<OrganizationEffects, 'onTeamMember'>, AccessLog {
  readonly config: Pick<Config, 'publicUrl'>
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly log: Log
  readonly secret: string
  readonly vault: Vault
  readonly budgets: Budgets
  readonly streams: Streams
  readonly outbound: Outbound
  readonly resolveTxt: ResolveTxt
  readonly i18n: ServerI18n
  readonly mail: Mail
  readonly notices: CredentialNotices
  asksSecondFactor(userId: string, cookie: string | undefined): Promise<boolean>
}

/** Single sign-on: an organization's providers, and signing in with them. */
export function createSso(parts: SsoParts): {
  readonly answers: AuthAnswers
  readonly service: ServiceOf<typeof ssoApi, OrgCaller>
} {
  const identityProvider = createIdentityProvider(parts)
  const attempts = createAttempts({ ...parts, publicUrl: parts.config.publicUrl })
  const exchange = createExchange({ ...parts, identityProvider })
  const admit = createAdmit(parts)
  const domainMail = createDomainMail(parts)
  return {
    answers: {
      ...createProviderCalls({ ...parts, identityProvider, domainMail }),
      ...createSsoSignIn({ ...parts, attempts, exchange, admit }),
    },
    service: {
      ...createSsoService({ ...parts, identityProvider, domainMail }),
      ...createSsoDemand(parts),
    } as ServiceOf<typeof ssoApi, OrgCaller>,
  }
}

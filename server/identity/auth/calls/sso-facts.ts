import type { AllowedPath } from './allowed-routes.ts'
import { arraySchema, type CallFact, object, success, text, textOrNull } from './call-fact.ts'
import { ChangeSsoProvider, NameSsoProvider, RegisterSsoProvider, VerifySsoDomain } from './schemas.ts'

const SsoProviderReply = object({
  id: text,
  providerId: text,
  name: text,
  domain: text,
  status: { enum: ['active', 'inactive'] },
  createdAt: text,
  issuer: text,
  clientId: text,
  authorizationEndpoint: text,
  tokenEndpoint: text,
  userInfoEndpoint: text,
  jwksEndpoint: text,
  role: text,
  teamId: textOrNull,
  domainVerifiedAt: textOrNull,
  domainProof: { enum: ['dns', 'mail', null] },
  domainRecord: object({ name: text, value: text }),
  callbackUrl: text,
})
/** An organization's single sign-on. */
export const ssoFacts = {
  '/sso/providers': {
    access: 'sso:manage',
    summary: "The organization's SSO providers, without their secrets.",
    query: { type: 'object', properties: { organizationId: text } },
    reply: object({ providers: arraySchema(SsoProviderReply) }),
  },
  '/sso/register': {
    access: 'sso:manage',
    summary: 'Configures an SSO provider; it is inactive until its domain is verified.',
    body: RegisterSsoProvider,
    reply: SsoProviderReply,
    refuses: [409],
  },
  '/sso/update-provider': {
    access: 'sso:manage',
    summary: 'Switches an SSO provider on or off, or changes its client or the role and team of new members.',
    body: ChangeSsoProvider,
    reply: SsoProviderReply,
    refuses: [404, 409],
  },
  '/sso/verify-domain': {
    access: 'sso:manage',
    summary: 'Verifies the domain by its DNS record or a mailed code, which activates the provider.',
    body: VerifySsoDomain,
    reply: SsoProviderReply,
    refuses: [404, 409, 503],
  },
  '/sso/delete-provider': {
    access: 'sso:manage',
    summary: 'Deletes an SSO provider; nobody can sign in through it any more.',
    body: NameSsoProvider,
    reply: success,
    refuses: [404],
  },
} satisfies Partial<Record<AllowedPath, CallFact>>

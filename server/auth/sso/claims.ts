import { isPlainName } from '#shared/plain-name.ts'
import { domainOfEmail } from './domain.ts'
import { SsoRefused } from './failure.ts'

/** Somebody as their provider describes them. */
export interface Claimed {
  /** The provider's own id of the person. */
  readonly subject: string
  /** Lower case; the provider has seen that it is theirs, and it is of the provider's domain. */
  readonly email: string
  readonly name: string
}

type Claims = Readonly<Record<string, unknown>>

const nameMaxChars = 80
const emailMaxChars = 254

const readName = (value: unknown, email: string): string => {
  const name = typeof value === 'string' ? value.trim().replace(/\s+/g, ' ') : ''
  const isGood = name !== '' && [...name].length <= nameMaxChars && isPlainName(name)
  return isGood ? name : (email.split('@')[0] as string)
}

/** Some providers write it as text. */
const isTrue = (value: unknown): boolean => value === true || value === 'true'

/**
 * Who somebody is by the claims about them.
 * @throws SsoRefused `unverified`, `otherDomain`
 */
export function readClaimed(
  claims: Claims & { readonly sub: string },
  provider: { readonly domain: string; readonly email_claim: string; readonly name_claim: string },
): Claimed {
  const email = String(claims[provider.email_claim] ?? '')
    .trim()
    .toLowerCase()
  if (email === '' || email.length > emailMaxChars) throw new SsoRefused('unverified', 'the provider names no address')
  if (!isTrue(claims.email_verified)) throw new SsoRefused('unverified', 'the address is not verified by the provider')
  if (domainOfEmail(email) !== provider.domain) throw new SsoRefused('otherDomain', 'an address of another domain')
  return { subject: claims.sub, email, name: readName(claims[provider.name_claim], email) }
}

/** Whether the ID token alone says what is needed; else the provider is asked. */
export const saysEnough = (claims: Claims, provider: { readonly email_claim: string }): boolean =>
  claims[provider.email_claim] !== undefined && claims.email_verified !== undefined

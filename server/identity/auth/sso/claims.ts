import { emailMax, emailPattern } from '#shared/auth/email-change.ts'
import { isPlainName } from '#shared/kernel/plain-name.ts'
import { SsoRefused } from './failure.ts'

/** A person as their provider describes them. */
export interface Claimed {
  /** The provider's id of the person (`sub`). */
  readonly subject: string
  /** Lower case, verified by the provider, and in the provider's domain. */
  readonly email: string
  readonly name: string
}

type Claims = Readonly<Record<string, unknown>>

const nameMaxChars = 80
const emailForm = new RegExp(emailPattern)
const printableAscii = /^[!-~]+$/

const readName = (value: unknown, email: string): string => {
  const name = typeof value === 'string' && value.isWellFormed() ? value.trim().replace(/\s+/g, ' ') : ''
  const isGood = name !== '' && [...name].length <= nameMaxChars && isPlainName(name)
  return isGood ? name : (email.split('@')[0] as string)
}

/**
 * A valid address in lower case; undefined: not valid. Only ASCII, checked before lower-casing: letters such as the
 * Kelvin sign become ASCII in lower case and would lead to another person's account.
 */
const readEmail = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || value.length > emailMax) return undefined
  return printableAscii.test(value) && emailForm.test(value) ? value.toLowerCase() : undefined
}

/** Some providers send text. */
const isTrue = (value: unknown): boolean => value === true || value === 'true'

/** @throws SsoRefused `unverified`, `otherDomain` */
export function readClaimed(
  claims: Claims & { readonly sub: string },
  provider: { readonly domain: string; readonly email_claim: string; readonly name_claim: string },
): Claimed {
  const email = readEmail(claims[provider.email_claim])
  if (email === undefined) throw new SsoRefused('unverified', 'the provider names no address')
  if (!isTrue(claims.email_verified)) throw new SsoRefused('unverified', 'the address is not verified by the provider')
  if (email.split('@')[1] !== provider.domain) throw new SsoRefused('otherDomain', 'an address of another domain')
  return { subject: claims.sub, email, name: readName(claims[provider.name_claim], email) }
}

/** If the ID token lacks one of these claims, the user-info endpoint is called. */
export const hasNeededClaims = (claims: Claims, provider: { readonly email_claim: string }): boolean =>
  claims[provider.email_claim] !== undefined && claims.email_verified !== undefined

import { APIError } from 'better-auth/api'
import { orgErrors } from '#server/identity/orgs/errors.ts'
import { isPictureAddress, orgFault, orgNameOf } from '#server/identity/orgs/rules.ts'
import { isOrgRole } from '#shared/kernel/permissions.ts'
import { isPlainName } from '#shared/kernel/plain-name.ts'
import { authErrors } from './errors.ts'
import { isSiteRole } from './organizations/roles.ts'

const personNameMaxChars = 80

/** A 400 of the library. Its message is a code, whose text `replies.ts` adds. */
export const refusal = (code: string) => new APIError('BAD_REQUEST', { code, message: code })

export const personName = (name: unknown, email: string): string => {
  const kept = typeof name === 'string' ? name.trim().replace(/\s+/g, ' ') : ''
  if (kept === '') return email.split('@')[0] ?? email
  if ([...kept].length > personNameMaxChars || !isPlainName(kept)) throw refusal(authErrors.NAME_INVALID().code)
  return kept
}

export const requireOrgRole = (role: unknown) => {
  if (!isOrgRole(role)) throw refusal('ROLE_NOT_FOUND')
}

/** Absent: better-auth gives the default role. */
export const requireSiteRole = (role: unknown) => {
  if (role !== undefined && !isSiteRole(role)) throw refusal('ROLE_NOT_FOUND')
}

export const requirePicture = (image: unknown) => {
  if (image && !(typeof image === 'string' && isPictureAddress(image))) throw refusal(authErrors.IMAGE_INVALID().code)
}

/** Usernames are set only by our own call, which asks for a password or code. */
export const refuseUsername = (user: object) => {
  if ('username' in user && user.username !== undefined) throw refusal('FIELD_NOT_ALLOWED')
}

export const requireOpen = (invitation: { status: string }) => {
  if (invitation.status !== 'pending') throw refusal(orgErrors.INVITATION_CLOSED().code)
}

type OrgFields = { name?: string; slug?: string; logo?: string | null; metadata?: Record<string, unknown> }

export const keptOrg = (org: OrgFields): OrgFields => {
  const fault = orgFault(org)
  if (fault) throw refusal(orgErrors[fault]().code)
  return { ...org, ...(org.name === undefined ? {} : { name: orgNameOf(org.name) }) }
}

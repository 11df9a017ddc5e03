import { isPlainName, mixesAlphabets } from '#shared/kernel/plain-name.ts'
import { orgNameMax, orgNameMin, reservedSlugs, slugPattern } from '#shared/orgs/api.ts'

const slugForm = new RegExp(slugPattern)
/** The form of ids: programs may name an organization by id or slug, so a slug must not look like an id. */
const idForm = /^\d[0-9a-hjkmnp-tv-z]{23}$/
const logoMaxChars = 2048
const metadataMaxChars = 4096

/** Why a slug is not allowed; does not check whether it is taken. */
export const slugFault = (slug: string): 'invalid' | 'reserved' | undefined => {
  if (!slugForm.test(slug)) return 'invalid'
  return reservedSlugs.has(slug) || idForm.test(slug) ? 'reserved' : undefined
}

/** Trimmed, with single spaces; undefined: not allowed. */
export const orgNameOf = (name: string): string | undefined => {
  const kept = name.trim().replace(/\s+/g, ' ')
  const length = [...kept].length
  const isGood = length >= orgNameMin && length <= orgNameMax && isPlainName(kept) && !mixesAlphabets(kept)
  return isGood ? kept : undefined
}

/** A path inside this site or an https address; others could run scripts or leak visits. */
export const isPictureAddress = (value: string): boolean =>
  value.length <= logoMaxChars && (/^\/(?![/\\])[^\s\\]*$/.test(value) || /^https:\/\/[^\s\\]+$/.test(value))

type OrgFields = { name?: string; slug?: string; logo?: string | null; metadata?: unknown }

/** The first fault as a code of `orgErrors`; undefined: none. Absent fields are not checked. */
export const orgFault = (
  fields: OrgFields,
): 'NAME_INVALID' | 'SLUG_INVALID' | 'SLUG_RESERVED' | 'LOGO_INVALID' | 'METADATA_TOO_LARGE' | undefined => {
  if (fields.name !== undefined && orgNameOf(fields.name) === undefined) return 'NAME_INVALID'
  if (fields.slug !== undefined) {
    const fault = slugFault(fields.slug)
    if (fault) return fault === 'invalid' ? 'SLUG_INVALID' : 'SLUG_RESERVED'
  }
  if (fields.logo && !isPictureAddress(fields.logo)) return 'LOGO_INVALID'
  if (fields.metadata !== undefined && JSON.stringify(fields.metadata).length > metadataMaxChars)
    return 'METADATA_TOO_LARGE'
  return undefined
}

import { isPlainName, mixesAlphabets } from '#shared/kernel/plain-name.ts'
import { orgNameMax, orgNameMin, reservedSlugs, slugPattern } from '#shared/orgs/api.ts'

const slugForm = new RegExp(slugPattern)
/** As ids are written: programs name an organization by either, and one must never answer to another's id. */
const idForm = /^\d[0-9a-hjkmnp-tv-z]{23}$/
const logoMaxChars = 2048
const metadataMaxChars = 4096

/** Why an address cannot be an organization's, apart from being taken. */
export const slugFault = (slug: string): 'invalid' | 'reserved' | undefined => {
  if (!slugForm.test(slug)) return 'invalid'
  return reservedSlugs.has(slug) || idForm.test(slug) ? 'reserved' : undefined
}

/** The name as it is kept, or undefined when it cannot be one. */
export const orgNameOf = (name: string): string | undefined => {
  const kept = name.trim().replace(/\s+/g, ' ')
  const length = [...kept].length
  const isGood = length >= orgNameMin && length <= orgNameMax && isPlainName(kept) && !mixesAlphabets(kept)
  return isGood ? kept : undefined
}

/** A picture is an address inside this site or on https; anything else could run or leak in a page. */
export const isPictureAddress = (value: string): boolean =>
  value.length <= logoMaxChars && (/^\/(?![/\\])[^\s\\]*$/.test(value) || /^https:\/\/[^\s\\]+$/.test(value))

type OrgFields = { name?: string; slug?: string; logo?: string | null; metadata?: unknown }

/**
 * What is wrong with the fields of an organization, as a code of `orgErrors`; undefined: nothing.
 * Absent fields are not looked at.
 */
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

import { defineErrors } from '#server/platform/http/errors.ts'

export const orgErrors = defineErrors('ORGS', {
  NAME_INVALID: 400,
  SLUG_INVALID: 400,
  SLUG_RESERVED: 400,
  LOGO_INVALID: 400,
  METADATA_TOO_LARGE: 400,
  /** The bytes are no PNG, JPEG or WebP that a browser could show. */
  LOGO_NOT_IMAGE: 400,
  LOGO_TOO_LARGE: 413,
  LOGO_NOT_FOUND: 404,
  /** Whoever demands a second factor of others has one. */
  SECOND_FACTOR_FIRST: 409,
  /** It is nobody of the organization, or somebody who is locked out. */
  MEMBER_NOT_FOUND: 404,
  /** What was typed to confirm is not the address of the organization. */
  CONFIRMATION_WRONG: 400,
  NOT_WHILE_IMPERSONATING: 403,
  /** An address that is left stays the organization's: nobody collects them. */
  SLUG_CHANGED_TOO_OFTEN: 409,
  INVITATION_NOT_FOUND: 404,
  /** It still holds, or there is a newer one that does. */
  INVITATION_STILL_VALID: 409,
  /** Whoever was invited belongs to the organization. */
  INVITATION_NOT_NEEDED: 409,
  INVITATION_ASKED_ALREADY: 429,
  /** Only a pending invitation can be answered or taken back. */
  INVITATION_CLOSED: 400,
})

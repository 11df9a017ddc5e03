import { defineErrors } from '#server/platform/http/errors.ts'

export const orgErrors = defineErrors('ORGS', {
  NAME_INVALID: 400,
  SLUG_INVALID: 400,
  SLUG_RESERVED: 400,
  LOGO_INVALID: 400,
  METADATA_TOO_LARGE: 400,
  /** Not a PNG, JPEG or WebP that browsers show. */
  LOGO_NOT_IMAGE: 400,
  LOGO_TOO_LARGE: 413,
  LOGO_NOT_FOUND: 404,
  /** A person who demands a second factor must have one. */
  SECOND_FACTOR_FIRST: 409,
  /** Not a member, or banned. */
  MEMBER_NOT_FOUND: 404,
  /** The text typed to confirm is not the organization's slug. */
  CONFIRMATION_WRONG: 400,
  NOT_WHILE_IMPERSONATING: 403,
  /** Former slugs stay reserved, so their number per organization is limited. */
  SLUG_CHANGED_TOO_OFTEN: 409,
  INVITATION_NOT_FOUND: 404,
  /** It is still valid, or a newer one is. */
  INVITATION_STILL_VALID: 409,
  /** The invited person is already a member. */
  INVITATION_NOT_NEEDED: 409,
  INVITATION_ASKED_ALREADY: 429,
  /** Only a pending invitation can be accepted, rejected or canceled. */
  INVITATION_CLOSED: 400,
})

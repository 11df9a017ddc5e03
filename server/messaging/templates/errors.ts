import { defineErrors } from '#server/platform/http/errors.ts'

export const templateErrors = defineErrors('TEMPLATES', {
  NOT_FOUND: 404,
  FILE_NOT_FOUND: 404,
  /** No number is connected, so there is no account for templates. */
  NOT_CONNECTED: 409,
  /** The account already has this name in this language. */
  EXISTS: 409,
  /** Under review, disabled or deleted: Meta accepts no changes. */
  NOT_EDITABLE: 409,
  NOT_DELETABLE: 409,
  /** Only approved templates can be sent. params: `name`, `status`. */
  NOT_APPROVED: 409,
  PAUSED: 409,
  DISABLED: 409,
  /** Meta reserves the name of a deleted template for thirty days. */
  NAME_BLOCKED: 409,
  /** Meta refused, in its own words. */
  REFUSED: 502,
  BUSY: 502,
  TOKEN_REFUSED: 502,
  UNREACHABLE: 502,
})

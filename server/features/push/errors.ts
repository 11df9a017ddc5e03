import { defineErrors } from '#server/platform/http/errors.ts'

export const pushErrors = defineErrors('PUSH', { ENDPOINT_REFUSED: 400, KEYS_REFUSED: 400 })

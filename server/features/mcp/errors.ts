import { defineErrors } from '#server/platform/http/errors.ts'

export const mcpErrors = defineErrors('MCP', {
  /** There is neither a bearer token nor `x-api-key`. */
  KEY_REQUIRED: 401,
  /** An array of messages, which the protocol no longer has. */
  BATCH: 400,
})

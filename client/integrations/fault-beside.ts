import { faultOf, isApiError } from '../app/api-error.ts'

/** What is wrong with a field: the sentence of the refusal where it is about this, not only that it does not fit. */
export const faultBeside = (error: unknown, field: string): string | undefined => {
  const fault = faultOf(error, `body.${field}`)
  return fault !== undefined && isApiError(error) && error.code !== 'APP_VALIDATION' ? error.message : fault
}

import { fieldFault, isApiError } from '#client/app/calls/api-error.ts'

/** The error text beside a field: the call's own text if it is about this field. */
export const faultBeside = (error: unknown, field: string): string | undefined => {
  const fault = fieldFault(error, `body.${field}`)
  return fault !== undefined && isApiError(error) && error.code !== 'APP_VALIDATION' ? error.message : fault
}

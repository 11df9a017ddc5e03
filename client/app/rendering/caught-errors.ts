import { isApiError } from '../calls/api-error.ts'

/** Logs errors that a React error boundary has shown. Refused calls (4xx) are expected answers and are not logged. */
export const logCaught = (error: unknown): void => {
  if (isApiError(error) && error.status >= 400 && error.status < 500) return
  console.error(error)
}

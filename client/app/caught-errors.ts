import { isApiError } from './api-error.ts'

/**
 * What React tells of an error that a boundary has shown. A refusal (4xx) is an answer like any other: whether it comes
 * before the page is drawn or after it depends on the network, and only what is a fault belongs in the console.
 */
export const logCaught = (error: unknown): void => {
  if (isApiError(error) && error.status >= 400 && error.status < 500) return
  console.error(error)
}

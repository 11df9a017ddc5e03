import type { SsoFailure } from '#shared/auth/sso.ts'

/** A sign-in that does not lead in; the person is told why on a page, the details are for the log. */
export class SsoRefused extends Error {
  override readonly name = 'SsoRefused'
  readonly failure: SsoFailure
  constructor(failure: SsoFailure, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.failure = failure
  }
}

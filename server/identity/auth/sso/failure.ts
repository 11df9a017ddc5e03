import type { SsoFailure } from '#shared/auth/sso.ts'

/** A failed sign-in. The person sees `failure` explained on a page; the message is for the log. */
export class SsoRefused extends Error {
  override readonly name = 'SsoRefused'
  readonly failure: SsoFailure
  constructor(failure: SsoFailure, detail: string, options?: ErrorOptions) {
    super(detail, options)
    this.failure = failure
  }
}

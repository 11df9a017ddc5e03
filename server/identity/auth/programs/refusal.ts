/** A refusal as programs expect it: `{ error, error_description }`. @see RFC 6749 §5.2, RFC 7591 §3.2.2 */
export class ProgramRefused extends Error {
  override readonly name = 'ProgramRefused'
  readonly error: string
  readonly description: string
  readonly status: number
  constructor(error: string, description: string, status = 400) {
    super(`${error}: ${description}`)
    this.error = error
    this.description = description
    this.status = status
  }
}

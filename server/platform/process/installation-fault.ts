/**
 * The installation is not in a state to work with, and a person can mend it: what is wrong and the step that mends it.
 * Programs print both and end, without a stack.
 */
export class InstallationFault extends Error {
  override readonly name = 'InstallationFault'
  readonly says: string
  readonly fix: string
  constructor(says: string, fix: string, cause?: unknown) {
    super(`${says}: ${fix}`, { cause })
    this.says = says
    this.fix = fix
  }
}

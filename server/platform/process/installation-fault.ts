/**
 * A fault of the installation that a person can fix: what is wrong, and the step that fixes it. Programs print both and
 * exit, without a stack.
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

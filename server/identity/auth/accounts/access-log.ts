import type { OwnCredentialChange } from '#server/identity/mail/letters.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Person } from '#server/platform/http/actor.ts'
import type { CallOrigin } from '#server/platform/http/http.ts'
import type { OwnAccess } from '#shared/audit/api.ts'

/** A sign-in of a person, or a change that they made to their own sign-in. */
export interface AccessChange {
  readonly userId: string
  readonly action: OwnAccess
  /** The session whose address and device are recorded. Default: the one of the call. */
  readonly sessionId?: string
  readonly origin?: CallOrigin
}

/** A person became a member because their identity provider vouched for them. */
export interface Joining {
  readonly userId: string
  readonly sessionId: string
  readonly orgId: string
  readonly role: string
  readonly teamId: string | null
}

/** An action of a site administrator on a person's account. */
export interface SiteAct {
  readonly action: 'sessionClosed'
  readonly actor: Person
  readonly subjectId: string
  readonly changes: readonly { readonly fact: 'device'; readonly before: string; readonly after: null }[]
}

/** A program was connected to an organization, or its connection ended. */
export interface ProgramChange {
  readonly orgId: string
  readonly action: 'programConnected' | 'programEnded'
  /** A person, or the program itself. */
  readonly actor: {
    readonly kind: 'person' | 'key'
    readonly id: string
    readonly name: string
    readonly impersonatedBy?: string | undefined
  }
  /** The person's session, which has the address and the device. */
  readonly sessionId?: string
  /** The program's. */
  readonly name: string
  readonly scopes?: readonly string[]
}

export interface AccessLog {
  /** Writes an audit entry for the organization, in the transaction of the change. */
  onProgram?(trx: Db, change: ProgramChange): Promise<void>
  /** Writes an audit entry for each of the person's organizations, in the transaction of the change. */
  onAccess?(trx: Db, change: AccessChange): Promise<void>
  /** Writes an audit entry for the organization joined, in the same transaction. */
  onJoining?(trx: Db, joining: Joining): Promise<void>
}

/** The audit action for each change of a credential. */
export const accessOfChange: Readonly<Record<OwnCredentialChange, OwnAccess>> = {
  added: 'passwordAdded',
  password: 'passwordChanged',
  username: 'usernameChanged',
  removed: 'passwordRemoved',
  emailChanged: 'emailChanged',
  secondFactorOn: 'secondFactorOn',
  secondFactorReplaced: 'secondFactorReplaced',
  secondFactorOff: 'secondFactorOff',
  backupCodes: 'backupCodesRenewed',
  backupCodeUsed: 'backupCodeUsed',
  deviceTrusted: 'deviceTrusted',
}

/** The audit action for a sign-in with this first factor. */
export const accessOfSignIn = (firstFactor: string): OwnAccess =>
  firstFactor === 'sso' ? 'signedInBySso' : firstFactor === 'password' ? 'signedInByPassword' : 'signedInByCode'

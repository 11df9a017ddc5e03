import type { Db } from '#server/platform/db/database.ts'
import type { Person } from '#server/platform/http/actor.ts'
import type { CallOrigin } from '#server/platform/http/http.ts'
import type { OwnCredentialChange } from '#server/platform/mail/letters.ts'
import type { OwnAccess } from '#shared/audit/api.ts'

/** How somebody came in, or what they did to their own way in. */
export interface AccessChange {
  readonly userId: string
  readonly action: OwnAccess
  /** From where: that of this session, unless the call itself says it. */
  readonly sessionId?: string
  readonly origin?: CallOrigin
}

/** Somebody became a member because a provider showed who they are. */
export interface Joining {
  readonly userId: string
  readonly sessionId: string
  readonly orgId: string
  readonly role: string
  readonly teamId: string | null
}

/** What an administrator of the site did to somebody's account. */
export interface SiteAct {
  readonly action: 'sessionClosed'
  readonly actor: Person
  readonly subjectId: string
  readonly changes: readonly { readonly fact: 'device'; readonly before: string; readonly after: null }[]
}

export interface AccessLog {
  /** Writes it down for the person's organizations, in the transaction of the change. Absent: nobody does. */
  onAccess?(trx: Db, change: AccessChange): Promise<void>
  /** Writes it down for the organization somebody joined, in the same transaction. */
  onJoining?(trx: Db, joining: Joining): Promise<void>
}

/** As what a change of a credential is written down. */
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

/** As what a sign-in is written down, by its first factor. */
export const accessOfSignIn = (firstFactor: string): OwnAccess =>
  firstFactor === 'sso' ? 'signedInBySso' : firstFactor === 'password' ? 'signedInByPassword' : 'signedInByCode'

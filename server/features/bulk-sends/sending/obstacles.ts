import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { TemplateFreezing } from '#server/messaging/templates/freezing.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { BlockReason } from '#shared/bulk-sends/states.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { isMarketingCategory, ratingOf, verdictOf } from '#shared/templates/words.ts'
import type { FoundContact } from '../audience/audience-store.ts'
import type { PlannedRecipient } from '../planning/planned-store.ts'
import { findGrantedTags, findPermitted } from '../rights/rights.ts'
import type { Senders, SendingNumber } from '../senders.ts'
import type { StoredSend } from '../stored-send.ts'

export interface ObstacleParts {
  readonly scopes: Pick<Scopes, 'tagsOfRole'>
  readonly senders: Pick<Senders, 'findRole'>
}

type Standing = NonNullable<Awaited<ReturnType<TemplateFreezing['findStanding']>>>

const ofTemplate: Readonly<Record<string, BlockReason>> = { paused: 'templatePaused', disabled: 'templateDisabled' }

/** Finds why a send may not hand over messages now: its number, its template, or the rights of its creator. */
export function createObstacles({ scopes, senders }: ObstacleParts) {
  const numberObstacle = (number: SendingNumber | undefined): BlockReason | undefined => {
    if (!number?.isConnected) return 'notConnected'
    if (number.status === 'reauthorise') return 'tokenLost'
    return number.status === 'blocked' ? 'accountBlocked' : undefined
  }

  const templateObstacle = (
    standing: Standing | undefined,
    { template, judgedFrom, isTest }: StoredSend,
  ): BlockReason | undefined => {
    if (standing === undefined) return 'templateGone'
    const verdict = verdictOf(standing.status)
    if (verdict !== 'approved') return ofTemplate[verdict ?? ''] ?? 'templateNotApproved'
    // Meta changed the category: it costs more, and people who opted out must not get it. Its creator has to decide.
    const isOtherwise = isMarketingCategory(standing.category) && !isMarketingCategory(template.category)
    if (isOtherwise && !judgedFrom.knowsMarketing && !isTest) return 'templateRecategorised'
    const isLow = (quality: string | null) => quality !== null && ratingOf(quality) === 'low'
    return isLow(standing.quality) && !isLow(judgedFrom.quality) ? 'qualityLow' : undefined
  }

  /** Finds why the creator has no right any more to send to all of these people. Undefined: there still is one. */
  const rightsObstacle = async (
    db: Db,
    { orgId, creatorId, isTest, audience }: StoredSend,
    people: readonly PlannedRecipient[],
    contacts: readonly FoundContact[],
  ): Promise<BlockReason | undefined> => {
    const role = await senders.findRole(db, orgId, creatorId)
    if (!role || !roleCan(role, 'bulk:send')) return 'noPermission'
    const granted = await findGrantedTags(db, orgId, role, scopes)
    // A test goes to its creator, and a send to one chat is like a message there.
    if (granted === null || isTest || audience.isOneChat) return undefined
    const permitted = await findPermitted(
      db,
      orgId,
      granted,
      contacts.map(({ id }) => id),
    )
    const allowed = new Set(contacts.filter(({ id }) => permitted.has(id)).map(contact => contact.match_key))
    return people.every(({ phone }) => allowed.has(phoneKey(phone))) ? undefined : 'noPermission'
  }

  return async (
    db: Db,
    send: StoredSend,
    {
      number,
      standing,
      people,
      contacts,
    }: {
      readonly number: SendingNumber | undefined
      readonly standing: Standing | undefined
      /** The recipients who are next, and those of them who are contacts. */
      readonly people: readonly PlannedRecipient[]
      readonly contacts: readonly FoundContact[]
    },
  ): Promise<BlockReason | undefined> =>
    numberObstacle(number) ?? templateObstacle(standing, send) ?? (await rightsObstacle(db, send, people, contacts))
}

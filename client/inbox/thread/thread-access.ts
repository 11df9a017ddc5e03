import { nameOfNumber } from '#client/app/number-name.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { useNumbers } from '../numbers.ts'
import type { InboxT } from '../words.ts'

/** The person's role, for what is offered. The server checks again. */
export const useRole = () => effectiveRole(useOrg().role)

/** Why nothing can be sent. Null: person and number allow it. */
export const useLock = (org: string, { number, phone }: Conversation, t: InboxT): string | null => {
  const waba = useAnswer(wabaQuery(org))
  const numbers = useNumbers(org)
  const role = useRole()
  if (!roleCan(role, 'chat:reply')) return t('composer.noPermission')
  if (!phone) return t('composer.noAddress')
  if (!waba.phone) return t('composer.notConnected')
  const own = number === undefined ? waba : numbers.find(known => known.phone === number)
  if (!own?.status) return t('composer.numberGone', { number: nameOfNumber(numbers, number ?? '') })
  return own.status === 'connected' ? null : t('composer.reauthorise')
}

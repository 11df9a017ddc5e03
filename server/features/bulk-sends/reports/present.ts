import { displayPhone } from '#server/platform/text/phone-display.ts'
import type { BulkRecipient, BulkSend, ReportCard } from '#shared/bulk-sends/sends.ts'
import type { MessageFailure } from '#shared/inbox/messages.ts'
import { findComponent } from '#shared/templates/components.ts'
import type { StoredSend } from '../stored-send.ts'
import type { ReportRow } from './report-store.ts'

export const presentSend = (send: StoredSend): BulkSend => {
  const { id, name, language, category } = send.template
  const { isOneChat, ...audience } = send.audience
  return {
    id: send.id,
    name: send.name,
    isTest: send.isTest,
    template: { id, name, language, category },
    state: send.state,
    reason: send.reason,
    audience: { ...audience, tags: [...audience.tags] },
    counts: { ...send.counts },
    cost: send.cost,
    optedOut: send.optedOut,
    canary: send.care.canary,
    limits: send.care.limits,
    hours: send.care.hours,
    waitsUntil: send.waitsUntil,
    held: send.state === 'running' ? send.held : null,
    approval: send.approval,
    createdBy: send.authorName,
    creatorId: send.creatorId,
    createdAt: send.createdAt,
    startsAt: send.startsAt,
    localStart: send.care.localStart ?? null,
    startedAt: send.startedAt,
    endedAt: send.endedAt,
  }
}

/** The cards of a carousel, as the template had them when the send was created. */
export const presentCards = ({ components }: Pick<StoredSend['template'], 'components'>): ReportCard[] =>
  (findComponent(components, 'CAROUSEL')?.cards ?? []).map(({ components: parts }) => {
    const body = findComponent(parts, 'BODY')
    return {
      format: findComponent(parts, 'HEADER')?.format ?? null,
      text: body?.text ?? '',
      textExample: body?.example ?? null,
      buttons: (findComponent(parts, 'BUTTONS')?.buttons ?? []).map(({ text }) => text ?? ''),
    }
  })

/** Formats digits for people. Other text stays unchanged. */
export const shownRecipient = (given: string): string =>
  /^\d{7,15}$/.test(given) ? displayPhone(given) || `+${given}` : given

export const presentRecipient = (
  row: ReportRow,
  sayReason: (state: string, code: string, at: string | null) => MessageFailure,
): BulkRecipient => ({
  id: row.id,
  given: row.given,
  display: shownRecipient(row.given),
  name: row.name,
  state: row.state,
  reason: row.reason === null ? null : sayReason(row.state, row.reason, row.changed_at),
  chat: row.conversation_id,
  at: row.changed_at,
})

import type { Notify } from '#server/platform/events/notify.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { type AccountNews, readAccountNews } from '#server/whatsapp/fields/account-news.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { rolesWith } from '#shared/kernel/permissions.ts'
import { connectionRead } from '../connecting/connections.ts'
import { listConnections, type StoredConnection } from '../store.ts'
import { factsWithout, type KeptNews, notAsked, readStored, type StandingFacts } from './facts.ts'
import { findStanding, saveStanding } from './store.ts'

interface NoticeParts {
  readonly clock: Clock
  readonly notifyRoles: Notify['notifyRoles']
}

/** The most news that is kept for a number's page. */
const maxNews = 20
/** The same news again within a day is not notified again. */
const repeatAfterMs = 24 * 3_600_000

const nameOf = ({ key, params }: Pick<AccountNews, 'key' | 'params'>): string =>
  // Later history progress replaces earlier.
  key === 'history' ? key : JSON.stringify([key, params])

/** The numbers that an item is about: the one it names, else those of its account, else all. */
const numbersOf = (numbers: readonly StoredConnection[], item: WebhookItem): readonly StoredConnection[] => {
  const one = item.phoneNumberId && numbers.find(({ phoneNumberId }) => phoneNumberId === item.phoneNumberId)
  if (one) return [one]
  const ofAccount = numbers.filter(({ wabaId }) => wabaId === item.wabaId)
  return ofAccount.length ? ofAccount : numbers
}

/**
 * Stores Meta's account news for the number's page, and notifies members who manage connections of what needs action.
 */
export async function keepAccountNews(
  write: OrgWrite,
  items: readonly WebhookItem[],
  { clock, notifyRoles }: NoticeParts,
): Promise<void> {
  const received = items.flatMap(item => readAccountNews(item).map(news => ({ item, news })))
  if (!received.length) return
  const { db, orgId, emit } = write
  const numbers = await listConnections(db, orgId)
  const now = clock.now().getTime()
  const alarmed = new Set<string>()
  for (const number of numbers) {
    const own = received.filter(({ item }) => numbersOf(numbers, item).includes(number))
    if (!own.length) continue
    const stored = await findStanding(db, orgId, number.id)
    const facts: StandingFacts = readStored(stored) ?? factsWithout(notAsked)
    let kept: readonly KeptNews[] = facts.news ?? []
    for (const { news } of own) {
      const { key, level, params, at = isoNow(clock) } = news
      const name = nameOf(news)
      const before = kept.find(one => nameOf(one) === name)
      // Webhooks may arrive twice or out of order.
      if (before && before.at >= at) continue
      kept = [{ key, level, params, at }, ...kept.filter(one => one !== before)].slice(0, maxNews)
      const isNews = !before || now - Date.parse(before.at) > repeatAfterMs
      if (level !== 'info' && isNews && !alarmed.has(name)) {
        alarmed.add(name)
        const words = { key: 'accountNews', params: { number: displayPhone(number.phone) || number.phone } }
        await notifyRoles(write, rolesWith('connection:manage'), { words })
      }
    }
    await saveStanding(db, orgId, number.id, {
      readAt: stored?.readAt ?? isoNow(clock),
      picture: stored?.picture ?? null,
      facts: JSON.stringify({ ...facts, news: kept }),
    })
    emit(connectionRead(number))
  }
}

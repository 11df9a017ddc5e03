import { newId } from '#server/platform/crypto/ids.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import type { Org, Page, Site } from './fixtures.ts'

export const words = {
  es: {
    bell: /^Notificaciones/,
    title: 'Notificaciones',
    empty: 'No hay notificaciones',
    mark: /^Marcar como leída/,
    all: 'Marcar todas como leídas',
    more: 'Ver más',
    settings: 'Configuración',
    today: /^(?:Hoy|Ayer), \d{1,2}:\d{2}\s[ap]\.\sm\.$/,
    days: /^\d{1,2}:\d{2}\s[ap]\.\sm\. \(hace 3 días\)$/,
  },
  en: {
    bell: /^Notifications/,
    title: 'Notifications',
    empty: 'No notifications',
    mark: /^Mark as read/,
    all: 'Mark all as read',
    more: 'Show more',
    settings: 'Settings',
    today: /^(?:Today|Yesterday), \d{1,2}:\d{2}\s[AP]M$/,
    days: /^\d{1,2}:\d{2}\s[AP]M \(3 days ago\)$/,
  },
} as const
export type Words = (typeof words)[keyof typeof words]

export const bellOf = (page: Page, say: Words = words.es) =>
  page.getByRole('banner').getByRole('button', { name: say.bell })
export const panelOf = (page: Page) => page.locator('.bell-panel')
export const red = (page: Page) => page.locator('.bell-badge-unread')
export const grey = (page: Page) => page.locator('.bell-badge-read')

interface Planted {
  title?: string
  message: string
  redirect?: string | null
  daysOld?: number
}

const born = (at: number) => {
  const id = newId(at)
  return { id, place: id }
}

/** Inserts notifications into the database, oldest first. */
export const plant = (site: Site, org: Org, all: readonly Planted[]) =>
  inTransaction(site.databases, async trx => {
    for (const [i, one] of all.entries()) {
      const at = Date.now() - (one.daysOld ?? 0) * 86_400_000 - (all.length - i) * 10
      await trx
        .insertInto('notification')
        .values({
          ...born(at),
          org_id: org.owner.org.id,
          user_id: org.owner.user.id,
          old_title: one.title ?? 'Nuevo mensaje de WhatsApp',
          old_message: one.message,
          redirect: one.redirect ?? null,
          created_at: new Date(at).toISOString(),
          viewed_at: null,
          words: null,
        })
        .execute()
    }
  })

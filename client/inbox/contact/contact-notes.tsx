import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { numberedRows } from '#client/app/queries/paged-list.ts'
import { pagesFor } from '#client/app/queries/queries.ts'
import { usePages } from '#client/app/queries/use-paged-list.ts'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { useListSearch, withAround } from '../list/list-address.ts'

export const notesQuery = (org: string, phone: string) =>
  pagesFor(
    org,
    'notes.listNotes',
    { params: { phone }, query: {} },
    {
      first: 1,
      next: last => (last.hasMore ? last.page + 1 : undefined),
      query: page => ({ page }),
      ...numberedRows,
    },
  )

interface ContactNotesProps {
  readonly org: string
  readonly phone: string
  /** The panel covers the chat, so a link replaces the panel's entry in the history. */
  readonly isOver: boolean
  onLeave(): void
}

/** Internal notes of the chat, newest first, with links into the thread. */
export function ContactNotes({ org, phone, isOver, onLeave }: ContactNotesProps) {
  const { t, i18n } = useTranslation('inbox')
  const { timeZone } = useMoment()
  const search = useListSearch()
  const list = usePages(notesQuery(org, phone))
  const notes = list.data?.pages.flatMap(page => page.items) ?? []
  if (!notes.length) return null
  return (
    <section className="contact-part" aria-label={t('contact.notes')}>
      <h3>{t('contact.notes')}</h3>
      <ul>
        {notes.map(({ id, text, at, author }) => (
          <li key={id}>
            <Link
              className="contact-said"
              to={paths.chat(org, phone) + withAround(search, id)}
              replace={isOver}
              onClick={onLeave}
            >
              <span dir="auto">{text}</span>
              <small>
                {[author?.name, shortTime(at, i18n.language as Language, timeZone)].filter(Boolean).join(' · ')}
              </small>
            </Link>
          </li>
        ))}
      </ul>
      <MoreButton list={list} more={t('gallery.more')} failed={t('gallery.failed')} />
    </section>
  )
}

import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { pagesFor } from '#client/app/queries/queries.ts'
import { usePages } from '#client/app/queries/use-paged-list.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { fullTime, rowTime, shortTime } from '#shared/kernel/time.ts'
import { useListSearch, withAround } from '../list/list-address.ts'
import { activityText } from '../thread/activity-words.ts'

export const activityQuery = (org: string, phone: string) =>
  pagesFor(
    org,
    'contacts.listActivity',
    { params: { phone }, query: {} },
    {
      first: '',
      next: last => last.next ?? undefined,
      query: after => (after ? { after } : {}),
      rows: page => page.items,
      keyOf: (row: { id: string }) => row.id,
      join: (_near, far, rows) => ({ ...far, items: [...rows] }),
    },
  )

interface ContactActivityProps {
  readonly org: string
  readonly phone: string
  /** The panel covers the chat, so a link replaces the panel's entry in the history. */
  readonly isOver: boolean
  onLeave(): void
}

/** Activity of the contact, newest first, with links into the thread. */
export function ContactActivity({ org, phone, isOver, onLeave }: ContactActivityProps) {
  const { t, i18n } = useTranslation('inbox')
  const { now, timeZone } = useMoment()
  const language = i18n.language as Language
  const { user } = useViewer()
  const search = useListSearch()
  const list = usePages(activityQuery(org, phone))
  const lines = list.data?.pages.flatMap(page => page.items)
  if (!lines?.length && !list.isError) return null
  return (
    <section className="contact-part" aria-label={t('contact.history')}>
      <h3>{t('contact.history')}</h3>
      {list.isError && !lines ? <Fault>{t('contact.historyFailed')}</Fault> : null}
      {lines?.length ? (
        <ul>
          {lines.map(({ id, at, chat, activity }) => (
            <li key={id}>
              <Link
                className="contact-done small"
                to={paths.chat(org, chat) + withAround(search, id)}
                replace={isOver}
                onClick={onLeave}
              >
                <span>{activityText(activity, user.id, t, iso => shortTime(iso, language, timeZone))}</span>
                <time dateTime={at} title={fullTime(at, language, timeZone)}>
                  {rowTime(at, now, language, timeZone) ?? t('row.yesterday')}
                </time>
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      <MoreButton list={list} more={t('gallery.more')} failed={t('gallery.failed')} />
    </section>
  )
}

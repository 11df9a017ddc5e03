import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { auditChangeText, auditFactLabel } from '#shared/audit/words.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { entriesQuery } from './queries.ts'

/** The actions of site administrators on accounts, newest first. */
export function Entries() {
  const { t } = useTranslation('site')
  const { t: audit } = useTranslation(['audit', 'org-settings'])
  const { language, timeZone } = useFacts()
  const list = useSuspensePages(entriesQuery())
  const entries = list.data.pages.flatMap(page => page.items)
  const words = {
    say: (key: string) => audit(`value.${key}` as 'value.yes'),
    sayTime: (iso: string) => shortTime(iso, language, timeZone),
    nothing: audit('nothing'),
  }
  if (!entries.length) return <Empty icon="clock" says={t('log.none')} />
  return (
    <>
      <ol className="site-entries">
        {entries.map(({ id, at, action, who, subject, changes, browser, system, address, isDone }) => (
          <li key={id}>
            <p>
              <b dir="auto">{who.name}</b> {t(`log.action.${action}`)} <b dir="auto">{subject}</b>
              {isDone ? null : <span className="chip chip-orange">{audit('unclear')}</span>}
            </p>
            {changes.map(change => (
              <p key={change.fact}>
                {audit(auditFactLabel(change.fact))}: <bdi>{auditChangeText(change, words)}</bdi>
              </p>
            ))}
            <small>
              <time dateTime={at}>{shortTime(at, language, timeZone)}</time>
              {[browser, system, address].filter(Boolean).map(one => ` · ${one}`)}
            </small>
          </li>
        ))}
      </ol>
      <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
    </>
  )
}

import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { NoneFound } from '#client/ui/feedback/none-found.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { AuditEntry } from '#shared/audit/api.ts'
import { auditChangeText, auditFactLabel, auditValueText, inSentence, isAuditTime } from '#shared/audit/words.ts'
import { paths } from '#shared/kernel/paths.ts'
import { clockTime, dayTitle, shortTime } from '#shared/kernel/time.ts'
import { AuditFilters } from './filters.tsx'
import { type AuditFilter, entriesQuery, isFiltered } from './queries.ts'

/** The changes of an entry. A single change is shown at once; several are shown when the entry is opened. */
function Changes({ entry }: { entry: AuditEntry }) {
  const { t, i18n } = useTranslation(['audit', 'org-settings'])
  const { timeZone } = useFacts()
  const sayTime = (iso: string) => shortTime(iso, i18n.language === 'en' ? 'en' : 'es', timeZone)
  const words = { say: (key: string) => t(`value.${key}` as 'value.yes'), sayTime, nothing: t('nothing') }
  // A new thing's name is in the sentence already. Other values than times are shown even if they read alike: they were changed.
  const changes = entry.changes.filter(({ fact, before, after }) => {
    if (before === null) return after !== '' && (fact !== 'name' || after !== entry.subject)
    if (after === null || !isAuditTime(fact)) return true
    return auditValueText(fact, before, words) !== auditValueText(fact, after, words)
  })
  if (!changes.length) return null
  const list = (
    <dl className="audit-changes">
      {changes.map(change => (
        <div key={change.fact}>
          <dt>{t(auditFactLabel(change.fact))}</dt>
          <dd dir="auto">{auditChangeText(change, words)}</dd>
        </div>
      ))}
    </dl>
  )
  if (changes.length === 1) return list
  return (
    <details className="audit-more">
      <summary>{t('changes', { count: changes.length })}</summary>
      {list}
    </details>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('audit')
  const { timeZone } = useFacts()
  const { who } = entry
  const device = [entry.browser, entry.system].filter(Boolean).join(' · ')
  return (
    <li className="audit-entry">
      <time dateTime={entry.at}>{clockTime(entry.at, timeZone)}</time>
      {who.kind === 'key' ? (
        <span className="avatar audit-key" aria-hidden="true">
          <Icon name="plug" />
        </span>
      ) : (
        <Avatar name={who.name} of={who.id} />
      )}
      <div className="audit-what">
        <p className="wrap">
          <b dir="auto">{who.name}</b>
          {who.kind === 'key' ? <span className="chip">{t('byKey')}</span> : null}
          {who.actedAs ? <span className="chip chip-orange">{t('actedAs')}</span> : null}
          <span>
            {inSentence(t(`action.${entry.action}`))}
            {entry.subject === null ? '' : ':'}
          </span>
          {entry.subject === null ? null : <b dir="auto">{entry.subject}</b>}
          {entry.isDone ? null : <span className="chip chip-orange">{t('unclear')}</span>}
        </p>
        <Changes entry={entry} />
      </div>
      <p className="audit-from">
        {device ? <span>{device}</span> : null}
        {entry.address ? <span>{entry.address}</span> : null}
      </p>
    </li>
  )
}

/** The audit log, newest first, below its filters. */
export function Entries({ filter }: { filter: AuditFilter }) {
  const { t, i18n } = useTranslation('audit')
  const { slug } = useOrg()
  const { now, timeZone } = useFacts()
  const list = useSuspensePages(entriesQuery(slug, filter))
  const entries = list.data.pages.flatMap(page => page.items)
  if (!entries.length && !isFiltered(filter))
    return (
      <Empty icon="clock" says={t('none')}>
        {t('noneWhy')}
      </Empty>
    )
  const days = Map.groupBy(entries, ({ at }) => dayTitle(at, now, i18n.language === 'en' ? 'en' : 'es', timeZone))
  return (
    <>
      <AuditFilters filter={filter} hasFound={entries.length > 0} />
      {entries.length ? null : <NoneFound says={t('noneSuch')} all={paths.audit(slug)} />}
      {[...days].map(([day, some]) => (
        <section key={day} className="audit-day" aria-label={day}>
          <h3>{day}</h3>
          <ol>
            {some.map(entry => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        </section>
      ))}
      <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
    </>
  )
}

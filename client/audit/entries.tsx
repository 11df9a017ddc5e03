import { useTranslation } from 'react-i18next'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import type { AuditEntry } from '#shared/audit/api.ts'
import { auditChangeText, auditFactLabel, auditValueText, inSentence, isAuditTime } from '#shared/audit/words.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { useFacts } from '../app/facts.ts'
import { useSuspensePages } from '../app/use-paged-list.ts'
import { useOrg } from '../shell/viewer.ts'
import { type AuditFilter, entriesQuery } from './queries.ts'

function Entry({ entry }: { entry: AuditEntry }) {
  const { t, i18n } = useTranslation(['audit', 'org-settings'])
  const { timeZone } = useFacts()
  const { who } = entry
  const language = i18n.language === 'en' ? 'en' : 'es'
  const sayTime = (iso: string) => shortTime(iso, language, timeZone)
  const words = { say: (key: string) => t(`value.${key}` as 'value.yes'), sayTime, nothing: t('nothing') }
  // A new thing's name is in the sentence already. Other values than times are shown even if they read alike: they were changed.
  const changes = entry.changes.filter(({ fact, before, after }) => {
    if (before === null) return fact !== 'name' || after !== entry.subject
    if (after === null || !isAuditTime(fact)) return true
    return auditValueText(fact, before, words) !== auditValueText(fact, after, words)
  })
  const from = [entry.browser, entry.system, entry.address].filter(Boolean).join(' · ')
  return (
    <li className="audit-entry">
      <p className="audit-what wrap">
        <b dir="auto">{who.name}</b>
        {who.kind === 'key' ? <span className="chip">{t('byKey')}</span> : null}
        {who.actedAs ? <span className="chip chip-orange">{t('actedAs')}</span> : null}
        <span>{inSentence(t(`action.${entry.action}`))}</span>
        {entry.subject === null ? null : <b dir="auto">{entry.subject}</b>}
        {entry.isDone ? null : <span className="chip chip-orange">{t('unclear')}</span>}
      </p>
      {changes.length ? (
        <dl className="audit-changes">
          {changes.map(change => (
            <div key={change.fact}>
              <dt>{t(auditFactLabel(change.fact))}</dt>
              <dd dir="auto">{auditChangeText(change, words)}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <small>
        <time dateTime={entry.at}>{sayTime(entry.at)}</time>
        {from ? ` · ${from}` : ''}
      </small>
    </li>
  )
}

/** The audit log, newest first. */
export function Entries({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation('audit')
  const { slug } = useOrg()
  const list = useSuspensePages(entriesQuery(slug, filter))
  const entries = list.data.pages.flatMap(page => page.items)
  if (!entries.length) return <Empty icon="clock" says={t('none')} />
  return (
    <>
      <ol className="audit-entries">
        {entries.map(entry => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
    </>
  )
}

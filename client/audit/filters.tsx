import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useAddressPart } from '#client/app/address/use-address-part.ts'
import { useApi } from '#client/app/calls/use-api.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { membersQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { DateInput } from '#client/ui/controls/date-input.tsx'
import { ExportButton } from '#client/ui/controls/export-button.tsx'
import { ClearFilters } from '#client/ui/feedback/none-found.tsx'
import { auditKinds } from '#shared/audit/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { type AuditFilter, entriesQuery, isFiltered } from './queries.ts'

/** The page's filters, stored in the address. `hasFound`: below them something is listed, and nothing else clears them. */
export function AuditFilters({ filter, hasFound }: { filter: AuditFilter; hasFound: boolean }) {
  const { t } = useTranslation('audit')
  const { slug } = useOrg()
  const id = useId()
  const [query, put] = useAddressPart()
  const members = useQuery(membersQuery(slug)).data?.items ?? []
  const person = query.get('person') ?? ''
  const isListed = person === '' || members.some(({ userId }) => userId === person)
  return (
    <div className="filter-row audit-filters">
      <label>
        <span className="sr-only">{t('person')}</span>
        <select value={person} onChange={({ target }) => put('person', target.value)}>
          <option value="">{t('anybody')}</option>
          {isListed ? null : (
            <option value={person} dir="auto">
              {person}
            </option>
          )}
          {members.map(({ userId, name, email }) => (
            <option key={userId} value={userId} dir="auto">{`${name} (${email})`}</option>
          ))}
        </select>
      </label>
      <label>
        <span className="sr-only">{t('kindLabel')}</span>
        <select value={filter.kind ?? ''} onChange={({ target }) => put('kind', target.value)}>
          <option value="">{t('anyKind')}</option>
          {auditKinds.map(kind => (
            <option key={kind} value={kind}>
              {t(`kind.${kind}`)}
            </option>
          ))}
        </select>
      </label>
      {(['from', 'to'] as const).map(name => (
        <div key={name} className="filter-date">
          <label htmlFor={`${id}-${name}`}>{t(name)}</label>
          <DateInput
            id={`${id}-${name}`}
            label={t(name)}
            value={query.get(name) ?? ''}
            onChange={date => put(name, date)}
          />
        </div>
      ))}
      {isFiltered(filter) && hasFound ? <ClearFilters all={paths.audit(slug)} /> : null}
    </div>
  )
}

/** Downloads the entries that match the filters. Nothing while the log is empty. */
export function AuditExport({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation('audit')
  const api = useApi()
  const { slug } = useOrg()
  const { pages } = useSuspensePages(entriesQuery(slug, filter)).data
  if (!isFiltered(filter) && pages.every(({ items }) => !items.length)) return null
  return (
    <ExportButton
      name={`${slug}-audit`}
      says={t('export')}
      saysBusy={t('exporting')}
      ask={before => api.audit.exportEntries({ query: { ...filter, ...(before ? { before } : {}) } })}
    />
  )
}

import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useAddressPart } from '#client/app/address/use-address-part.ts'
import { ExportButton } from '#client/ui/controls/export-button.tsx'
import { auditKinds } from '#shared/audit/api.ts'
import { queryFor } from '../app/queries.ts'
import { useApi } from '../app/use-api.ts'
import { useOrg } from '../shell/viewer.ts'
import type { AuditFilter } from './queries.ts'

/** The page's filters, stored in the address. */
export function Filters({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation('audit')
  const id = useId()
  const api = useApi()
  const { slug } = useOrg()
  const [query, put] = useAddressPart()
  const members = useQuery(queryFor(slug, 'members.listMembers', { query: {} })).data?.items ?? []
  const person = query.get('person') ?? ''
  const isListed = person === '' || members.some(({ userId }) => userId === person)
  return (
    <div className="audit-filters wrap">
      <div className="field">
        <label htmlFor={`${id}-person`}>{t('person')}</label>
        <select id={`${id}-person`} value={person} onChange={({ target }) => put('person', target.value)}>
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
      </div>
      <div className="field">
        <label htmlFor={`${id}-kind`}>{t('kindLabel')}</label>
        <select id={`${id}-kind`} value={filter.kind ?? ''} onChange={({ target }) => put('kind', target.value)}>
          <option value="">{t('anyKind')}</option>
          {auditKinds.map(kind => (
            <option key={kind} value={kind}>
              {t(`kind.${kind}`)}
            </option>
          ))}
        </select>
      </div>
      {(['from', 'to'] as const).map(name => (
        <div className="field" key={name}>
          <label htmlFor={`${id}-${name}`}>{t(name)}</label>
          <input
            id={`${id}-${name}`}
            type="date"
            value={query.get(name) ?? ''}
            onChange={({ target }) => put(name, target.value)}
          />
        </div>
      ))}
      <ExportButton
        name={`${slug}-audit`}
        says={t('export')}
        saysBusy={t('exporting')}
        ask={before => api.audit.exportEntries({ query: { ...filter, ...(before ? { before } : {}) } })}
      />
    </div>
  )
}

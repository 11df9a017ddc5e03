import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAddressPart } from '#client/app/address/use-address-part.ts'
import { useFollowedSearch } from '#client/app/address/use-followed-search.ts'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { useEarlyInput } from '#client/ui/controls/early-input.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { ContactSort } from '#shared/contacts/api.ts'
import { searchMaxChars } from '#shared/inbox/conversations.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { ColumnMenu } from './column-menu.tsx'
import { ExportMenu } from './export-menu.tsx'
import { type ContactFilter, refreshContacts, sortOf, usualSort } from './queries.ts'

const searchAfterMs = 250
const sorts: readonly ContactSort[] = ['activity', 'name', 'newest']

const NewContactDialog = lazyDialog(() => import('./new-contact-dialog.tsx'))
const ImportDialog = lazyDialog(() => import('./import-dialog.tsx'))

/** Shown to people who may write to customers. */
export function NewContactButton() {
  const { t } = useTranslation('contacts')
  const { slug, role } = useOrg()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  if (!roleCan(effectiveRole(role), 'chat:reply')) return null
  return (
    <>
      <button type="button" className="button button-primary" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {t('new.open')}
      </button>
      {isOpen ? (
        <NewContactDialog onSaved={() => refreshContacts(client, slug)} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}

/** Shown to people who may export data. */
export function ImportButton() {
  const { t } = useTranslation('contacts')
  const { role } = useOrg()
  const [isOpen, setOpen] = useState(false)
  if (!roleCan(effectiveRole(role), 'member:manage')) return null
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <Icon name="upload" />
        {t('import.open')}
      </button>
      {isOpen ? <ImportDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** Exports the shown contacts, for people who may export data. */
export function ExportContacts({ filter }: { filter: ContactFilter }) {
  const { role } = useOrg()
  return roleCan(effectiveRole(role), 'member:manage') ? <ExportMenu of={filter} /> : null
}

/** The page's filters, stored in the address. */
export function Filters() {
  const { t } = useTranslation('contacts')
  const id = useId()
  const { slug } = useOrg()
  const [query, put] = useAddressPart()
  const asked = query.get('q') ?? ''
  /** Undefined: nothing is being typed; the address's search is shown. */
  const [typed, setTyped] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const noteSent = useFollowedSearch(asked, () => setTyped(undefined))
  const tags = useOptionalAnswer(tagsQuery(slug))?.items ?? []
  const search = useEffectEvent(() => {
    if (typed === undefined || typed.trim() === asked) return
    noteSent(typed.trim())
    put('q', typed.trim())
  })
  useEffect(() => {
    if (typed === undefined) return
    const timer = setTimeout(search, searchAfterMs)
    return () => clearTimeout(timer)
  }, [typed])
  const field = useRef<HTMLInputElement>(null)
  useEarlyInput(field, setTyped)
  const isFiltered = query.has('tag') || query.has('marketing') || query.has('sort')
  return (
    <search>
      <form
        className="contact-filters line"
        data-open={isOpen || isFiltered || undefined}
        onSubmit={event => {
          event.preventDefault()
          search()
        }}
      >
        <div className="field contact-find">
          <label className="sr-only" htmlFor={`${id}-search`}>
            {t('search')}
          </label>
          <Icon name="search" />
          <input
            ref={field}
            id={`${id}-search`}
            type="search"
            name="q"
            dir="auto"
            placeholder={t('searchHint')}
            autoComplete="off"
            maxLength={searchMaxChars}
            value={typed ?? asked}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
        <button
          type="button"
          className="icon-button contact-filter-open"
          aria-expanded={isOpen || isFiltered}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="filter" />
          <span className="sr-only">{t('filters')}</span>
        </button>
        <div className="field contact-filter">
          <label className="sr-only" htmlFor={`${id}-tag`}>
            {t('tag')}
          </label>
          <select id={`${id}-tag`} value={query.get('tag') ?? ''} onChange={({ target }) => put('tag', target.value)}>
            <option value="">{t('anyTag')}</option>
            {tags.map(tag => (
              <option key={tag.id} value={tag.id} dir="auto">
                {tag.label}
              </option>
            ))}
          </select>
        </div>
        <div className="field contact-filter">
          <label className="sr-only" htmlFor={`${id}-marketing`}>
            {t('marketing')}
          </label>
          <select
            id={`${id}-marketing`}
            value={query.get('marketing') ?? ''}
            onChange={({ target }) => put('marketing', target.value)}
          >
            <option value="">{t('anyMarketing')}</option>
            <option value="yes">{t('mayGet')}</option>
            <option value="no">{t('optedOut')}</option>
          </select>
        </div>
        <div className="field contact-filter contact-order">
          <label className="sr-only" htmlFor={`${id}-sort`}>
            {t('order')}
          </label>
          <select
            id={`${id}-sort`}
            value={sortOf(query)}
            onChange={({ target }) => put('sort', target.value === usualSort ? '' : target.value)}
          >
            {sorts.map(sort => (
              <option key={sort} value={sort}>
                {t(`sort.${sort}`)}
              </option>
            ))}
          </select>
        </div>
        <ColumnMenu />
      </form>
    </search>
  )
}

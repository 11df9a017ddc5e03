import './page.css'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { keyFor, start } from '#client/app/queries.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { ContactRows } from './contact-rows.tsx'
import { ExportContacts, Filters, ImportButton, NewContactButton } from './filters.tsx'
import { contactFieldsQuery, contactsQuery, filterOf } from './queries.ts'

export const loader = (args: LoaderFunctionArgs) => {
  const org = args.params.org ?? ''
  return start(
    args,
    contactsQuery(org, filterOf(new URL(args.request.url).searchParams)),
    tagsQuery(org),
    contactFieldsQuery(org),
  )
}

/** `/org/{slug}/contacts`: the organization's contacts; `?q=&tag=&marketing=`. */
export default function ContactsPage() {
  const { t } = useTranslation('contacts')
  const { slug } = useOrg()
  const client = useQueryClient()
  const [query] = useSearchParams()
  const filter = filterOf(query)
  const refresh = () => void client.invalidateQueries({ queryKey: keyFor(slug, 'contacts.listContacts') })
  // Not at every message: the list changes with tags, scope and imports, and is reloaded after missed events.
  useEvents({ tags: refresh, visibility: refresh, contactImport: refresh }, refresh)
  return (
    <main className="sheet">
      <SheetHead title={t('title')}>{t('says')}</SheetHead>
      <div className="contact-acts wrap">
        <NewContactButton />
        <ImportButton />
        <ExportContacts filter={filter} />
      </div>
      <section className="card" aria-label={t('title')}>
        <div className="contact-tools wrap">
          <Filters />
        </div>
        <Suspense fallback={<div className="skeleton contacts-skeleton" role="status" aria-label={t('loading')} />}>
          <ContactRows key={JSON.stringify(filter)} filter={filter} />
        </Suspense>
      </section>
    </main>
  )
}

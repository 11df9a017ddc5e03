import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { countText } from '#client/ui/text/count.ts'
import './page.css'
import './table.css'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { useInParts } from '#client/app/calls/use-in-parts.ts'
import { start } from '#client/app/queries/queries.ts'
import { contactFieldsQuery, segmentsQuery } from '#client/segments/queries.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { findOrg, requireViewer, useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { MomentProvider } from '#client/ui/text/moment.tsx'
import { maxContactsAtOnce } from '#shared/contacts/api.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { ContactRows } from './contact-rows.tsx'
import { ExportContacts, Filters, ImportButton, NewContactButton } from './filters.tsx'
import { OpenedContact } from './opened.tsx'
import { type ContactFilter, contactsQuery, countQuery, readContactFilter, refreshContacts, sortOf } from './queries.ts'
import { SegmentTabs } from './segment-tabs.tsx'

/** Says how many contacts the filters list. Nothing until they are counted. */
function ContactCount({ filter }: { filter: ContactFilter }) {
  const { t, i18n } = useTranslation('contacts')
  const answer = useOptionalAnswer(countQuery(useOrg().slug, filter))
  const shown = answer && countText(answer.count + Number(answer.isMore), answer.count, i18n.language)
  return (
    <span className="contact-count" role="status">
      {answer ? t('total', { count: answer.count, shown }) : null}
    </span>
  )
}

const tabSkeleton = <span className="skeleton" />

/** Segments are for people who may send to them. */
const hasSegments = (role: unknown) => roleCan(effectiveRole(role), 'bulk:send')

export const loader = async (args: LoaderFunctionArgs) => {
  const org = args.params.org ?? ''
  const { searchParams } = new URL(args.request.url)
  const role = findOrg(await requireViewer(args), org)?.role
  return start(
    args,
    contactsQuery(org, readContactFilter(searchParams), sortOf(searchParams)),
    tagsQuery(org),
    contactFieldsQuery(org),
    ...(hasSegments(role) ? [segmentsQuery(org)] : []),
  )
}

/** `/org/{slug}/contacts`: the organization's contacts; `?q=&tag=&marketing=&segment=&sort=`; `&contact=` opens one. */
export default function ContactsPage() {
  const { t } = useTranslation('contacts')
  const { slug, role } = useOrg()
  const client = useQueryClient()
  const [query] = useSearchParams()
  const filter = readContactFilter(query)
  const sort = sortOf(query)
  // Here, so that a change continues and can be stopped while the filters change.
  const parts = useInParts(maxContactsAtOnce)
  const refresh = () => void refreshContacts(client, slug)
  // Not at every message: the list changes with tags, scope and imports, and is reloaded after missed events.
  useEvents({ tags: refresh, visibility: refresh, contactImport: refresh }, refresh)
  return (
    <MomentProvider>
      <main className="contacts">
        <div className="sheet">
          <div className="contacts-head line wrap">
            <SheetHead isInBar title={t('title')}>
              <ContactCount filter={filter} />
            </SheetHead>
            <div className="contact-acts line">
              <ImportButton />
              <ExportContacts filter={filter} />
              <NewContactButton />
            </div>
          </div>
          {hasSegments(role) ? (
            <Suspense fallback={<div className="tabs segment-tabs">{tabSkeleton}</div>}>
              <SegmentTabs filter={filter} sort={sort} />
            </Suspense>
          ) : null}
          <Filters />
          <section className="contact-list" aria-label={t('title')}>
            <Suspense
              fallback={
                <div className="skeleton skeleton-rows contacts-skeleton" role="status" aria-label={t('loading')} />
              }
            >
              <ContactRows key={JSON.stringify([filter, sort])} filter={filter} sort={sort} parts={parts} />
            </Suspense>
          </section>
        </div>
        <OpenedContact />
      </main>
    </MomentProvider>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { start } from '#client/app/queries/queries.ts'
import { contactFieldsQuery, segmentsQuery } from '#client/segments/queries.ts'
import { OrgClock, orgClockQuery } from '#client/shell/org-clock.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { grantedTagsQuery, sendsQuery } from '../queries.ts'
import { beginningTo, beginningToSegment, numbersTo } from './beginning/beginning.ts'
import { Drafted, draftIn, MissingOfDraft, newDraft, type Opened, openAnew, settleDraft } from './beginning/drafted.tsx'
import { Repeated, repeatedIn, settleRepeated } from './beginning/repeated.tsx'
import { settleTemplate, templateIn, WithTemplate } from './beginning/with-template.tsx'
import { CreateSteps } from './create-steps.tsx'
import '../bulk-sends.css'

export const loader = async (args: LoaderFunctionArgs) => {
  const org = args.params.org ?? ''
  const repeated = repeatedIn(args.request.url)
  const draft = draftIn(args.request.url)
  const template = templateIn(args.request.url)
  if (repeated) await settleRepeated(args, org, repeated)
  else if (draft) await settleDraft(args, org, draft)
  else if (template) await settleTemplate(args, org, template)
  return start(
    args,
    tagsQuery(org),
    grantedTagsQuery(org),
    sendsQuery(org),
    segmentsQuery(org),
    contactFieldsQuery(org),
    orgClockQuery(org),
  )
}

/** The steps with their initial values. */
function Begun({ first }: { first: Opened }) {
  const { slug } = useOrg()
  const client = useQueryClient()
  const [{ opened, key }, setOpened] = useState({ opened: first, key: 0 })
  const onTheirs = async (id: string) => {
    const next = await openAnew(client, slug, id)
    setOpened(before => ({ opened: next, key: before.key + 1 }))
  }
  return (
    <>
      <MissingOfDraft opened={opened} />
      <CreateSteps key={key} opened={opened} onTheirs={onTheirs} />
    </>
  )
}

/**
 * `/org/{slug}/c/masive/new`: template, audience, values, plan, send; `?draft=` continues one, `?repeat=` begins like
 * an earlier send, `?template=` with that template, `?to=` with these numbers, `?segment=` with that segment.
 */
export default function BulkCreatePage() {
  const { t } = useTranslation('bulk-sends')
  const query = useSearchParams()[0]
  const [repeated, draft, template] = [query.get('repeat'), query.get('draft'), query.get('template')]
  const numbers = numbersTo(query)
  const segment = query.get('segment')
  const to = numbers.length ? beginningTo(numbers) : segment ? beginningToSegment(segment) : undefined
  return (
    <main className="sheet bulk-create">
      <SheetHead title={t('create')} />
      {numbers.length ? (
        <p className="notice" role="status">
          {t('toSelection', { count: numbers.length })}
        </p>
      ) : null}
      <Suspense fallback={<div className="skeleton bulk-skeleton" aria-hidden="true" />}>
        <OrgClock>
          {repeated ? (
            <Repeated key={repeated} id={repeated}>
              {from => <Begun first={{ from, draft: undefined }} />}
            </Repeated>
          ) : draft ? (
            <Drafted key={draft} id={draft}>
              {opened => <Begun first={opened} />}
            </Drafted>
          ) : template ? (
            <WithTemplate key={template} id={template}>
              {from => <Begun first={{ from, draft: undefined }} />}
            </WithTemplate>
          ) : (
            <Begun first={to ? { from: to, draft: undefined } : newDraft} />
          )}
        </OrgClock>
      </Suspense>
    </main>
  )
}

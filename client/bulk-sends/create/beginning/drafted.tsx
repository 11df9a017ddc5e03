import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LoaderFunctionArgs } from 'react-router'
import { queryClientContext, settle } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { templateQuery } from '#client/templates/queries.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { WholeBulkDraft } from '#shared/bulk-sends/drafts.ts'
import type { Template } from '#shared/templates/api.ts'
import { isApproved } from '#shared/templates/words.ts'
import { draftQuery } from '../../queries.ts'
import { type Beginning, blank } from './beginning.ts'
import { beginningFrom } from './draft-steps.ts'
import { WhyNoTemplate } from './why-no-template.tsx'

/** The draft in an address. */
export const draftIn = (url: string): string | null => new URL(url).searchParams.get('draft')

/** Loads a draft and its template, which may no longer exist. */
export async function settleDraft(args: LoaderFunctionArgs, org: string, id: string): Promise<void> {
  const client = args.context.get(queryClientContext)
  const query = draftQuery(org, id)
  client.removeQueries({ queryKey: query.queryKey, type: 'inactive' })
  const { template } = await settle<WholeBulkDraft>(args, query)
  if (template) await client.prefetchQuery(templateQuery(org, template.id))
}

export interface Opened {
  readonly from: Beginning
  /** Undefined: created with the first change. */
  readonly draft: WholeBulkDraft | undefined
}
export const newDraft: Opened = { from: blank, draft: undefined }

const openedFrom = (draft: WholeBulkDraft, template: Template | undefined): Opened => ({
  draft,
  from: beginningFrom(draft.steps, template && isApproved(template.status) ? template : undefined, blank),
})

/** Loads a draft that another person has saved meanwhile. */
export async function openAnew(client: QueryClient, org: string, id: string): Promise<Opened> {
  const draft = await client.fetchQuery({ ...draftQuery(org, id), staleTime: 0 })
  const template = draft.template
    ? await client.fetchQuery(templateQuery(org, draft.template.id)).catch(() => undefined)
    : undefined
  return openedFrom(draft, template)
}

/** Says what must be chosen again. */
export function MissingOfDraft({ opened: { from, draft } }: { opened: Opened }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const { data: template } = useQuery({
    ...templateQuery(slug, draft?.template?.id ?? ''),
    enabled: Boolean(draft?.template),
  })
  if (!draft) return null
  const { hadFile, hadMoreNumbers } = draft.steps
  const isTemplateGone = draft.template !== null && !from.template
  if (!hadFile && !hadMoreNumbers && !isTemplateGone) return null
  return (
    <div className="notice bulk-drafted">
      <Icon name="info" />
      <p>
        {isTemplateGone ? <WhyNoTemplate template={template} otherwise={t('draft.templateGone')} /> : null}{' '}
        {[...(hadFile ? [t('draft.file')] : []), ...(hadMoreNumbers ? [t('draft.numbers')] : [])].join(' ')}
      </p>
    </div>
  )
}

/** Continues a draft. */
export function Drafted({ id, children }: { id: string; children: (opened: Opened) => ReactNode }) {
  const { slug } = useOrg()
  const draft = useAnswer(draftQuery(slug, id))
  const { data: template } = useQuery({
    ...templateQuery(slug, draft.template?.id ?? ''),
    enabled: draft.template !== null,
  })
  const [opened] = useState(() => openedFrom(draft, template))
  return children(opened)
}

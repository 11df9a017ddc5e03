import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LoaderFunctionArgs } from 'react-router'
import { queryClientContext } from '#client/app/queries/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { templateQuery } from '#client/templates/queries.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { isApproved } from '#shared/templates/words.ts'
import { type Beginning, blank } from './beginning.ts'
import { WhyNoTemplate } from './why-no-template.tsx'

/** The template in an address. */
export const templateIn = (url: string): string | null => new URL(url).searchParams.get('template')

/** Loads the template before the page is shown. It may no longer exist. */
export const settleTemplate = (args: LoaderFunctionArgs, org: string, id: string): Promise<void> =>
  args.context.get(queryClientContext).prefetchQuery(templateQuery(org, id))

/** Begins a send with its template chosen, if it can be sent. */
export function WithTemplate({ id, children }: { id: string; children: (from: Beginning) => ReactNode }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const { data: template } = useQuery(templateQuery(slug, id))
  const [from] = useState(() => ({
    ...blank,
    template: template && isApproved(template.status) ? template : undefined,
  }))
  return (
    <>
      {from.template ? null : (
        <Fault>
          <WhyNoTemplate template={template} otherwise={t('templateNotSendable')} />
        </Fault>
      )}
      {children(from)}
    </>
  )
}

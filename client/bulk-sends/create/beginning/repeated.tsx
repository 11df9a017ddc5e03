import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LoaderFunctionArgs } from 'react-router'
import { queryClientContext, settle } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { templateQuery } from '#client/templates/queries.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import type { BulkRecipe } from '#shared/bulk-sends/sends.ts'
import { recipeQuery } from '../../queries.ts'
import { type Beginning, beginningOf } from './beginning.ts'
import { WhyNoTemplate } from './why-no-template.tsx'

/** The send to repeat in an address. */
export const repeatedIn = (url: string): string | null => new URL(url).searchParams.get('repeat')

/** Loads the recipe before the page is shown. Its template may no longer exist. */
export async function settleRepeated(args: LoaderFunctionArgs, org: string, id: string): Promise<void> {
  const { template } = await settle<BulkRecipe>(args, recipeQuery(org, id))
  await args.context.get(queryClientContext).prefetchQuery(templateQuery(org, template))
}

/** Says what cannot be repeated, and passes on the rest. */
export function Repeated({ id, children }: { id: string; children: (from: Beginning) => ReactNode }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const recipe = useAnswer(recipeQuery(slug, id))
  const { data: template } = useQuery(templateQuery(slug, recipe.template))
  const [from] = useState(() => beginningOf(recipe, template))
  return (
    <>
      {from.template ? null : (
        <Fault>
          <WhyNoTemplate template={template} otherwise={t('repeat.noTemplate')} />
        </Fault>
      )}
      {recipe.gone.map(one => (
        <p key={one} className="field-hint">
          {t(`repeat.gone.${one}`)}
        </p>
      ))}
      {children(from)}
    </>
  )
}

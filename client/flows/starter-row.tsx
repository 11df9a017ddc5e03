import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { loadPart } from '#client/app/hydration/missing-part.ts'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { writeDraft } from './editor/draft.ts'
import { newPartId } from './editor/part-id.ts'
import { refreshFlows } from './queries.ts'

const shown = ['welcome', 'hours', 'lead', 'appointment', 'satisfaction'] as const

/** Complete flows to begin with, below a short list. The dialog that creates one has them all. */
export function StarterRow() {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const { language } = useFacts()
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const failureText = useFailureText()
  const [isWorking, work] = useTransition()
  const [key] = useState(newPartId)
  const begin = (one: (typeof shown)[number]) =>
    work(async () => {
      try {
        const { starterOf } = await loadPart(() => import('./starters.ts'))
        const flow = await api.flows.create(
          { body: writeDraft(starterOf(one, language)) },
          { idempotencyKey: `${key}-${one}` },
        )
        void refreshFlows(client, slug)
        await navigate(paths.flow(slug, flow.id))
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
    })
  return (
    <section className="flow-starts">
      <h2>{t('starter.row')}</h2>
      <p>{t('starter.rowText')}</p>
      <ul className="flow-starters">
        {shown.map(one => (
          <li key={one}>
            <button type="button" aria-disabled={isWorking} onClick={() => isWorking || begin(one)}>
              <b>{t(`starter.${one}`)}</b>
              <span>{t(`starter.${one}Hint`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

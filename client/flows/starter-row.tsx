import { useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { loadPart } from '#client/app/hydration/missing-part.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { writeDraft } from './editor/draft/draft.ts'
import { useCreateFlow } from './use-create-flow.ts'

const shown = ['welcome', 'hours', 'lead', 'appointment', 'satisfaction'] as const

/** Ready-made flows below a short list. The dialog that creates a flow offers all of them. */
export function StarterRow() {
  const { t } = useTranslation('flows')
  const { language } = useFacts()
  const create = useCreateFlow()
  const failureText = useFailureText()
  const [isWorking, work] = useTransition()
  const begin = (one: (typeof shown)[number]) =>
    work(async () => {
      try {
        const { starterOf } = await loadPart(() => import('./starters.ts'))
        await create(writeDraft(starterOf(one, language)), one)
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

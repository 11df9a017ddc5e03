import { type ReactNode, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '#client/app/calls/api-error.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { loadPart } from '#client/app/hydration/missing-part.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { emptyGraph } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import { type WrittenDraft, writeDraft } from './editor/draft/draft.ts'
import { newPartId } from './editor/draft/part-id.ts'
import { forbiddenNameIn, importedDraft, importMaxBytes, stepsIn, textOfFile } from './import/exchange.ts'
import { RefusedImport } from './import/refused-import.tsx'
import type { CarriedFlow } from './import/typebot.ts'
import { TypebotReport } from './import/typebot-report.tsx'
import { starterKeys } from './starter-plans.ts'
import { starterOf } from './starters.ts'
import { useCreateFlow } from './use-create-flow.ts'

/** Creates a flow: from a starter, empty, or from an exported file. */
export default function CreateFlowDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('flows')
  const { t: common } = useTranslation()
  const { t: shell } = useTranslation('shell')
  const { language } = useFacts()
  const create = useCreateFlow(onClose)
  const failureText = useFailureText()
  const [failure, setFailure] = useState<ReactNode>()
  const [isWorking, work] = useTransition()
  const [carried, setCarried] = useState<CarriedFlow>()
  const begin = (draft: WrittenDraft, part: string) =>
    work(async () => {
      setFailure(undefined)
      try {
        await create(draft, part)
      } catch (error) {
        const details = isApiError(error) ? error.details : []
        setFailure(details.length ? <RefusedImport details={details} /> : failureText(error))
      }
    })
  const take = async (file: File | undefined) => {
    if (!file) return
    if (file.size > importMaxBytes) return setFailure(t('importTooLarge', { max: importMaxBytes / 1024 / 1024 }))
    const text = await textOfFile(file)
    const own = importedDraft(text)
    const steps = own ? stepsIn(own) : 0
    if (steps > flowLimits.nodes) return setFailure(t('importTooManySteps', { steps, max: flowLimits.nodes }))
    const name = forbiddenNameIn(own)
    if (name) return setFailure(t('importForbiddenName', { name }))
    if (own) return begin(own, newPartId())
    const part = await loadPart(() => import('./import/typebot.ts')).catch(() => undefined)
    if (!part) return setFailure(shell('missingPart.dialog'))
    const found = part.carryTypebot(text, { name: t('starter.newName'), options: t('previewList') })
    if (typeof found === 'string') return setFailure(t(`typebot.refused.${found}`, { max: flowLimits.nodes }))
    setFailure(undefined)
    setCarried(found)
  }
  if (carried)
    return (
      <Modal title={t('typebot.title')} width={640} onClose={onClose}>
        <TypebotReport carried={carried} />
        {failure ? <Fault>{failure}</Fault> : null}
        <div className="dialog-buttons">
          <button type="button" className="button" onClick={onClose}>
            {common('cancel')}
          </button>
          <button
            type="button"
            className="button button-primary"
            aria-disabled={isWorking}
            onClick={() => isWorking || begin(writeDraft(carried.draft), 'typebot')}
          >
            {t('typebot.create')}
          </button>
        </div>
      </Modal>
    )
  return (
    <Modal title={t('starter.title')} width={640} onClose={onClose}>
      <ul className="flow-starters">
        {starterKeys.map(one => (
          <li key={one}>
            <button
              type="button"
              aria-disabled={isWorking}
              onClick={() => isWorking || begin(writeDraft(starterOf(one, language)), one)}
            >
              <b>{t(`starter.${one}`)}</b>
              <span>{t(`starter.${one}Hint`)}</span>
            </button>
          </li>
        ))}
        <li>
          <button
            type="button"
            aria-disabled={isWorking}
            onClick={() =>
              isWorking || begin(writeDraft({ name: t('starter.newName'), graph: emptyGraph(), triggers: [] }), 'empty')
            }
          >
            <b>{t('starter.empty')}</b>
            <span>{t('starter.emptyHint')}</span>
          </button>
        </li>
        <li>
          <label className="flow-import">
            <b>
              <Icon name="file" />
              {t('starter.import')}
            </b>
            <span>{t('starter.importHint')}</span>
            <input
              type="file"
              className="sr-only"
              accept="application/json,.json"
              disabled={isWorking}
              onChange={({ target }) => {
                void take(target.files?.[0])
                target.value = ''
              }}
            />
          </label>
        </li>
      </ul>
      {failure ? <Fault>{failure}</Fault> : null}
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {common('cancel')}
        </button>
      </div>
    </Modal>
  )
}

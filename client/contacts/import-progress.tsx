import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import type { ContactImport } from '#shared/contacts/imports.ts'
import { Counts, RefusedRows } from './import-preview.tsx'
import { importQuery } from './queries.ts'

/** Progress of an import, and its result. */
export function ImportProgress({
  begun,
  onAgain,
  onClose,
}: {
  begun: ContactImport
  onAgain(): void
  onClose(): void
}) {
  const { t } = useTranslation('contacts')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const query = importQuery(slug, begun.id)
  const one = useOptionalAnswer(query) ?? begun
  const [failure, setFailure] = useState<string>()
  const [isStopping, run] = useTransition()
  const refresh = () => void client.invalidateQueries({ queryKey: query.queryKey })
  useEvents({ contactImport: ({ id }) => id === begun.id && refresh() }, refresh)
  const stop = () =>
    run(async () => {
      setFailure(undefined)
      try {
        client.setQueryData(query.queryKey, await api.contactImports.stop({ params: { id: one.id } }))
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const isRunning = one.state === 'running'
  return (
    <div className="stack">
      <p className="cut">
        <strong>{one.file}</strong>
      </p>
      <progress className="import-progress" aria-label={t('import.progress')} max={one.rows} value={one.done} />
      <p role="status">{t(`import.state.${one.state}`, { done: one.done, rows: one.rows })}</p>
      <Counts of={one} />
      <RefusedRows faults={one.faults} refused={one.refused} />
      {failure ? <Fault>{failure}</Fault> : null}
      <div className="dialog-buttons">
        {isRunning ? (
          <button type="button" className="button" aria-disabled={isStopping} onClick={() => isStopping || stop()}>
            {t('import.stop')}
          </button>
        ) : (
          <button type="button" className="button" onClick={onAgain}>
            {t('import.another')}
          </button>
        )}
        <button type="button" className="button button-primary" onClick={onClose}>
          {t(isRunning ? 'import.leave' : 'import.close')}
        </button>
      </div>
    </div>
  )
}

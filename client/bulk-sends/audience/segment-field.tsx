import { useQueryClient } from '@tanstack/react-query'
import { useId, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { segmentsQuery } from '#client/segments/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'

const SegmentDialog = lazyDialog(() => import('#client/segments/segment-dialog.tsx'))

interface SegmentFieldProps {
  /** Undefined: none. */
  readonly segmentId: string | undefined
  onChange(segmentId: string | undefined): void
}

/** Chooses, creates or deletes a segment. */
export function SegmentField({ segmentId, onChange }: SegmentFieldProps) {
  const { t } = useTranslation('segments')
  const { slug } = useOrg()
  const id = useId()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { items } = useAnswer(segmentsQuery(slug))
  const [isMaking, setIsMaking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [isRemoving, remove] = useTransition()
  const removeChosen = (chosen: string) =>
    remove(async () => {
      setFailure(undefined)
      try {
        await api.bulkSends.deleteSegment({ params: { id: chosen } })
        onChange(undefined)
      } catch (error) {
        setFailure(error)
      }
      await client.invalidateQueries({ queryKey: segmentsQuery(slug).queryKey })
    })
  return (
    <>
      {items.length ? (
        <div className="field">
          <label htmlFor={id}>{t('title')}</label>
          <select
            id={id}
            aria-describedby={`${id}-hint`}
            value={segmentId ?? ''}
            onChange={({ target }) => onChange(target.value || undefined)}
          >
            <option value="">{t('none')}</option>
            {items.map(segment => (
              <option key={segment.id} value={segment.id} dir="auto">
                {segment.label}
              </option>
            ))}
          </select>
          <div id={`${id}-hint`} className="field-hint">
            {t('hint')}
          </div>
        </div>
      ) : (
        <p className="bulk-source-title">{t('title')}</p>
      )}
      <div className="card-buttons">
        <button type="button" className="button" onClick={() => setIsMaking(true)}>
          {t('new')}
        </button>
        {segmentId ? (
          <button
            type="button"
            className="button"
            aria-disabled={isRemoving}
            onClick={() => isRemoving || removeChosen(segmentId)}
          >
            {t('remove')}
          </button>
        ) : null}
      </div>
      {failure ? <Fault>{failureText(failure)}</Fault> : null}
      {isMaking ? <SegmentDialog onSaved={onChange} onClose={() => setIsMaking(false)} /> : null}
    </>
  )
}

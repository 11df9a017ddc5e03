import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { DeleteDraft } from '../../delete-draft.tsx'
import type { DraftOfPage } from './use-draft.ts'

interface DraftStateProps {
  readonly draft: DraftOfPage
  /** Loads what another person has saved. */
  onTheirs(id: string): Promise<void>
  onDeleted(): void
}

/** Says whether the draft is saved, and what to do if not. */
export function DraftState({ draft, onTheirs, onDeleted }: DraftStateProps) {
  const { t } = useTranslation('bulk-sends')
  const failureText = useFailureText()
  const [isDeleting, setDeleting] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const { state } = draft
  const id = draft.id()
  const run = (work: () => Promise<unknown>) => {
    setFailure(undefined)
    work().catch(setFailure)
  }
  if (state?.kind === 'stale' && id !== undefined)
    return (
      <div className="notice bulk-drafted" role="status">
        <Icon name="warn" />
        <p>{t('draft.stale')}</p>
        <button type="button" className="link" onClick={() => run(() => onTheirs(id))}>
          {t('draft.theirs')}
        </button>
        <button type="button" className="link" onClick={() => run(draft.keepMine)}>
          {t('draft.mine')}
        </button>
        {failure ? <Fault>{failureText(failure)}</Fault> : null}
      </div>
    )
  const error = state && 'error' in state ? state.error : undefined
  if (!state && id === undefined) return null
  return (
    <div className="bulk-draft-state line wrap small">
      <p role="status">
        {error ? (
          <>
            {t('draft.failed')} {failureText(error)}{' '}
            <button type="button" className="link" onClick={() => run(draft.flush)}>
              {t('draft.retry')}
            </button>
          </>
        ) : state?.kind === 'saving' ? (
          t('draft.saving')
        ) : (
          <>
            <Icon name="tick" />
            {t('draft.saved')}
          </>
        )}
      </p>
      {id === undefined ? null : (
        <button type="button" className="link" onClick={() => setDeleting(true)}>
          {t('draft.delete')}
        </button>
      )}
      {isDeleting && id !== undefined ? (
        <DeleteDraft
          id={id}
          onDeleted={() => {
            draft.end()
            onDeleted()
          }}
          onClose={() => setDeleting(false)}
        />
      ) : null}
    </div>
  )
}

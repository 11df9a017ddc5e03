import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#client/app/queries/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Flow } from '#shared/flows/api.ts'
import { readGraph, readTriggers } from '#shared/flows/exchange.ts'
import type { FlowDraft } from '../draft/draft.ts'
import { countChanges } from './compare.ts'

/**
 * The number of changes since the published version, compared here so that undo counts at once. Undefined: never
 * published, or the version is not loaded yet.
 */
export function useUnpublished({ id, published }: Flow, draft: FlowDraft, isWanted: boolean): number | undefined {
  const { slug } = useOrg()
  const { data } = useQuery({
    ...queryFor(slug, 'flows.getVersion', { params: { id, version: published?.version ?? 0 } }),
    enabled: isWanted && published !== null && typeof window !== 'undefined',
  })
  return useMemo(
    () => data && countChanges({ graph: readGraph(data.graph), triggers: readTriggers(data.triggers) }, draft),
    [data, draft],
  )
}

interface PublishButtonProps {
  readonly flow: Flow
  readonly hasChanges: boolean
  /** Undefined: not known. */
  readonly count: number | undefined
  onPublish(): void
}

/** The publish button. Its text has the number of unpublished changes; without any it is not emphasized. */
export function PublishButton({ flow, hasChanges, count, onPublish }: PublishButtonProps) {
  const { t } = useTranslation('flows')
  const isDone = !hasChanges && flow.state === 'live'
  return (
    <button
      type="button"
      className={`button ${hasChanges ? 'button-primary' : isDone ? 'button-quiet' : ''}`}
      onClick={onPublish}
    >
      {isDone ? <Icon name="tick" /> : null}
      {isDone ? t('publish.all') : count ? t('publish.changes', { count }) : t('publish.open')}
    </button>
  )
}

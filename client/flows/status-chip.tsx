import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { FlowSummary } from '#shared/flows/api.ts'

const colours = { draft: 'chip-draft', published: 'chip-green', paused: 'chip-amber', changed: 'chip-blue' } as const

const statusOf = ({ state, hasChanges }: Pick<FlowSummary, 'state' | 'hasChanges'>): keyof typeof colours => {
  if (state === 'live') return hasChanges ? 'changed' : 'published'
  return state
}

/** Says whether customers get the flow. */
export function StatusChip({ flow }: { readonly flow: Pick<FlowSummary, 'state' | 'hasChanges'> }) {
  const { t } = useTranslation('flows')
  const status = statusOf(flow)
  return (
    <span className={`chip ${colours[status]}`}>
      {status === 'draft' ? <Icon name="pencil" /> : null}
      {t(`status.${status}`)}
    </span>
  )
}

import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import type { FlowSummary } from '#shared/flows/api.ts'

const looks = {
  draft: { tone: 'chip-draft', icon: 'pencil' },
  published: { tone: 'chip-green', icon: 'tick' },
  paused: { tone: 'chip-amber', icon: 'pause' },
  changed: { tone: 'chip-blue', icon: 'upload' },
} as const satisfies Readonly<Record<string, { readonly tone: string; readonly icon: IconName }>>

const statusOf = ({ state, hasChanges }: Pick<FlowSummary, 'state' | 'hasChanges'>): keyof typeof looks => {
  if (state === 'live') return hasChanges ? 'changed' : 'published'
  return state
}

/** Says whether customers get the flow. */
export function StatusChip({ flow }: { readonly flow: Pick<FlowSummary, 'state' | 'hasChanges'> }) {
  const { t } = useTranslation('flows')
  const status = statusOf(flow)
  return (
    <span className={`chip ${looks[status].tone}`}>
      <Icon name={looks[status].icon} />
      {t(`status.${status}`)}
    </span>
  )
}

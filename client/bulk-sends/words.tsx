import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { type BulkSendState, bulkSendGroups, type RecipientState } from '#shared/bulk-sends/states.ts'

const looks: Readonly<Record<BulkSendState, { readonly tone: string; readonly icon: IconName }>> = {
  preparing: { tone: 'chip', icon: 'clock' },
  ready: { tone: 'chip chip-amber', icon: 'hand' },
  scheduled: { tone: 'chip chip-violet', icon: 'calendar' },
  running: { tone: 'chip chip-blue', icon: 'send' },
  paused: { tone: 'chip chip-amber', icon: 'pause' },
  blocked: { tone: 'chip chip-red', icon: 'warn' },
  completed: { tone: 'chip chip-green', icon: 'tick' },
  cancelled: { tone: 'chip', icon: 'close' },
}

/** True if nothing more is sent: it was completed or cancelled. */
export const hasEnded = ({ state }: Pick<BulkSend, 'state'>): boolean =>
  (bulkSendGroups.over as readonly string[]).includes(state)

/** True if the send is so large that a second person has to approve it. */
export const needsApproval = ({ state, approval }: Pick<BulkSend, 'state' | 'approval'>): boolean =>
  state === 'ready' && approval?.state === 'needed'

export function StateChip({ send }: { send: Pick<BulkSend, 'state' | 'approval'> }) {
  const { t } = useTranslation('bulk-sends')
  const { tone, icon } = looks[send.state]
  return (
    <span className={tone}>
      <Icon name={icon} />
      {needsApproval(send) ? t('approval.state') : t(`state.${send.state}`)}
    </span>
  )
}

/** Number of planned recipients. */
export const peopleOf = ({ counts }: Pick<BulkSend, 'counts'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.omitted

/** Number of recipients with a known outcome. */
export const settledOf = (send: Pick<BulkSend, 'counts'>): number =>
  peopleOf(send) - send.counts.planned - send.counts.queued

/** Writes a number as readers of the language do: `2.000` in Spanish here, not Spain's `2000`. */
export const useFigure = (): ((count: number) => string) => {
  const { i18n } = useTranslation()
  return new Intl.NumberFormat(i18n.language === 'es' ? 'es-AR' : 'en-GB').format
}

/** Recipients who are not queued are named after their send: it was cancelled, was never started, or starts later. */
const waitingIn: Readonly<Partial<Record<BulkSendState, 'notSent' | 'scheduled'>>> = {
  cancelled: 'notSent',
  ready: 'notSent',
  scheduled: 'scheduled',
}

export const useRecipientState = (send: Pick<BulkSend, 'state'>): ((state: RecipientState) => string) => {
  const { t } = useTranslation('bulk-sends')
  return state => t(`recipient.${(state === 'planned' && waitingIn[send.state]) || state}`)
}

/** A duration in words: less than a minute, minutes, or hours. */
export const useDuration = (): ((seconds: number) => string) => {
  const { t } = useTranslation('bulk-sends')
  return seconds => {
    if (seconds < 60) return t('lasts.moment')
    if (seconds < 90 * 60) return t('lasts.minutes', { count: Math.ceil(seconds / 60) })
    return t('lasts.hours', { count: Math.ceil(seconds / 3600) })
  }
}

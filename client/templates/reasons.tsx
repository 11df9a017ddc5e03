import { useTranslation } from 'react-i18next'
import { useMoment } from '#client/ui/text/moment.tsx'
import { clockTime, dayNumber } from '#shared/kernel/time.ts'
import { rejectionReasons } from '#shared/simulator/api.ts'
import type { Template } from '#shared/templates/api.ts'
import { isPauseNote, verdictOf } from '#shared/templates/words.ts'

type Reason = (typeof rejectionReasons)[number]
/** Meta has further reasons, and adds new ones. */
export const isKnownReason = (word: string): word is Reason => (rejectionReasons as readonly string[]).includes(word)

/** Says when a pause ends, or how long pauses last if Meta did not say which one it is. */
const usePauseText = () => {
  const { t } = useTranslation('templates')
  const { now, timeZone } = useMoment()
  return ({ note, pausedUntil }: Pick<Template, 'note' | 'pausedUntil'>): string => {
    if (pausedUntil === null) return t(note && isPauseNote(note) ? `pause.${note}` : 'pause.unknown')
    const time = clockTime(pausedUntil, timeZone)
    if (Date.parse(pausedUntil) <= now) return t('pause.late', { time })
    const isToday = dayNumber(pausedUntil, timeZone) === dayNumber(new Date(now).toISOString(), timeZone)
    return t(isToday ? 'pause.today' : 'pause.tomorrow', { time })
  }
}

/** Why it is not approved, in few words. Undefined: nothing to say. */
export const useReasonText = () => {
  const { t } = useTranslation('templates')
  const pauseText = usePauseText()
  return (template: Pick<Template, 'status' | 'rejectedReason' | 'note' | 'pausedUntil'>): string | undefined => {
    const { status, rejectedReason, note } = template
    if (verdictOf(status) === 'paused') return pauseText(template)
    if (verdictOf(status) === 'rejected' && rejectedReason && rejectedReason !== 'NONE')
      return isKnownReason(rejectedReason) ? t(`reason.${rejectedReason}`) : rejectedReason
    if (!note) return undefined
    return isPauseNote(note) ? t(`pause.${note}`) : note
  }
}

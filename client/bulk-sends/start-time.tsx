import { useTranslation } from 'react-i18next'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { orgClockQuery } from '#client/shell/org-clock.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { MomentField } from '#client/ui/controls/moment-input.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import { zoneCity } from '#client/ui/text/time-zone-label.ts'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import { fullTime, timeOfWall, wallTime } from '#shared/kernel/time.ts'

/** The zone of a chosen time: the organization's, or each recipient's. */
export type Clock = 'ofOrg' | 'ofEach'

/** The last time zone to reach a local time. */
const lastZone = 'Pacific/Pago_Pago'

const useOrgZone = (): string => useAnswer(orgClockQuery(useOrg().slug)).timeZone

/** Converts local time of the organization to ISO 8601 UTC. Undefined: invalid or past. */
export const useStartAt = (): ((wall: string) => string | undefined) => {
  const { now } = useMoment()
  const timeZone = useOrgZone()
  return wall => {
    const at = timeOfWall(wall, timeZone)
    return at !== undefined && Date.parse(at) > now ? at : undefined
  }
}

/** The schedule for a request. Undefined: no time was chosen, or it has passed. */
export const useChosenStart = (): ((
  wall: string,
  clock: Clock,
) => { startAt: string } | { localStart: string } | undefined) => {
  const { now } = useMoment()
  const startAtOf = useStartAt()
  return (wall, clock) => {
    if (clock === 'ofEach') {
      const last = timeOfWall(wall, lastZone)
      return last !== undefined && Date.parse(last) > now ? { localStart: wall } : undefined
    }
    const startAt = startAtOf(wall)
    return startAt === undefined ? undefined : { startAt }
  }
}

/** `el 23 de noviembre de 2026, 09:30`: in the page's time zone. Lists write the month shorter. */
export const useStartsAt = (): ((startsAt: string, written?: typeof fullTime) => string) => {
  const { t, i18n } = useTranslation('bulk-sends')
  const { timeZone } = useMoment()
  return (startsAt, written = fullTime) =>
    t('when.on', { time: written(startsAt, isLanguage(i18n.language) ? i18n.language : 'es', timeZone) })
}

/** The time of a scheduled send as text. It may be each recipient's local time. Undefined: not scheduled. */
export const useStartOf = (): ((
  send: Pick<BulkSend, 'startsAt' | 'localStart'>,
  written?: typeof fullTime,
) => string | undefined) => {
  const { t, i18n } = useTranslation('bulk-sends')
  const startsAt = useStartsAt()
  return (send, written = fullTime) => {
    if (send.localStart === null) return send.startsAt === null ? undefined : startsAt(send.startsAt, written)
    const time = written(`${send.localStart}Z`, isLanguage(i18n.language) ? i18n.language : 'es', 'UTC')
    return t('when.onEach', { time })
  }
}

interface StartTimeProps {
  /** Local time. Empty: not chosen yet. */
  readonly wall: string
  readonly clock?: Clock
  readonly fault: string | undefined
  onChange(wall: string): void
}

/** A date, a time, and whose time zone it is. */
export function StartTime({ wall, clock = 'ofOrg', fault, onChange }: StartTimeProps) {
  const { t } = useTranslation('bulk-sends')
  const { now } = useMoment()
  const timeZone = useOrgZone()
  const zone = t('when.zone', { zone: zoneCity(timeZone) })
  return (
    <MomentField
      label={t('when.at')}
      hint={<span suppressHydrationWarning>{clock === 'ofEach' ? t('when.eachHint') : zone}</span>}
      timeZone={timeZone}
      min={wallTime(now, clock === 'ofEach' ? lastZone : timeZone)}
      value={wall}
      fault={fault}
      onChange={onChange}
    />
  )
}

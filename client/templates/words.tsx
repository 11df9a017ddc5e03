import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import { isLanguage } from '#shared/kernel/language.ts'
import { clockTime, dayWord, shortDate } from '#shared/kernel/time.ts'
import { ratingOf, type TemplateQuality, type TemplateStatus, templateStatuses } from '#shared/templates/words.ts'
import { Mark, type MarkName } from './mark.tsx'

const tones: Readonly<Record<TemplateStatus, { tone: string; icon?: IconName; mark?: MarkName }>> = {
  DRAFT: { tone: 'chip chip-draft', icon: 'pencil' },
  PENDING: { tone: 'chip chip-blue', icon: 'clock' },
  APPROVED: { tone: 'chip chip-green', icon: 'tick' },
  REJECTED: { tone: 'chip chip-red', icon: 'close' },
  PAUSED: { tone: 'chip chip-orange', mark: 'pause' },
  DISABLED: { tone: 'chip chip-red', mark: 'ban' },
  IN_APPEAL: { tone: 'chip chip-blue', icon: 'clock' },
  LIMIT_EXCEEDED: { tone: 'chip chip-orange', icon: 'warn' },
  ARCHIVED: { tone: 'chip', icon: 'archive' },
  FLAGGED: { tone: 'chip chip-orange', icon: 'warn' },
  LOCKED: { tone: 'chip chip-red', icon: 'lock' },
  PENDING_DELETION: { tone: 'chip', icon: 'trash' },
}

/** Meta adds statuses now and then; unknown ones are shown unchanged. */
export const isKnownStatus = (status: string): status is TemplateStatus =>
  (templateStatuses as readonly string[]).includes(status)

export function StatusChip({ status }: { status: string }) {
  const { t } = useTranslation('templates')
  if (!isKnownStatus(status)) return <span className="chip">{status}</span>
  const { tone, icon, mark } = tones[status]
  return (
    <span className={tone}>
      {icon ? <Icon name={icon} /> : null}
      {mark ? <Mark name={mark} /> : null}
      {t(`status.${status}`)}
    </span>
  )
}

const bars = { high: 3, medium: 2, low: 1 } as const

/** Three bars and a word. */
/** A dash in a column in which most rows may have nothing; screen readers say what is missing. */
export const None = ({ says }: { says: string }) => (
  <span className="template-quiet">
    <span aria-hidden="true">–</span>
    <span className="sr-only">{says}</span>
  </span>
)

export function Quality({ quality }: { quality: string }) {
  const { t } = useTranslation('templates')
  const rating = ratingOf(quality)
  if (!rating) return <span className="template-quiet">{t('quality.UNKNOWN')}</span>
  return (
    <span className={`template-quality template-quality-${rating}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {[0, 1, 2].map(i => (
          <rect
            key={i}
            x={1 + i * 5}
            y={9 - i * 4}
            width="3.5"
            height={6 + i * 4}
            rx="1"
            className={i < bars[rating] ? '' : 'template-bar-off'}
          />
        ))}
      </svg>
      {t(`quality.${quality as TemplateQuality}`)}
    </span>
  )
}

const nameOf = (code: string, language: string): string => {
  try {
    const names = new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' })
    const name = names.of(code.replace('_', '-')) ?? code
    return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
  } catch {
    // A code the platform does not know is shown unchanged.
    return code
  }
}

/**
 * The name of a language code such as Meta's `es_AR`. Browser and server may differ, so the mismatch must be suppressed
 * where it is used.
 */
export const useLanguageName = (): ((code: string) => string) => {
  const { language } = useTranslation('templates').i18n
  return code => nameOf(code, language)
}

export function LanguageName({ code }: { code: string }) {
  const name = useLanguageName()
  return <span suppressHydrationWarning>{name(code)}</span>
}

/** `hoy, 14:05`, `ayer, 14:05`, `20 nov 2026`. */
export const useWhen = (): ((iso: string) => string) => {
  const { t, i18n } = useTranslation('templates')
  const { now, timeZone } = useMoment()
  return iso => {
    const word = dayWord(iso, now, timeZone)
    return word
      ? t(`when.${word}`, { time: clockTime(iso, timeZone) })
      : shortDate(iso, isLanguage(i18n.language) ? i18n.language : 'es', timeZone)
  }
}

export function When({ at }: { at: string }) {
  const when = useWhen()
  return <time dateTime={at}>{when(at)}</time>
}

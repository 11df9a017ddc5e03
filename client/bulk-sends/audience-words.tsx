import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'

type AudienceProps = Pick<BulkSend, 'audience'>

const listOf = (language: string, { match }: BulkSend['audience']) =>
  new Intl.ListFormat(language, { type: match === 'all' ? 'conjunction' : 'disjunction' })

/** The parts of an audience besides its tags. */
const othersOf = (t: TFunction<'bulk-sends'>, audience: BulkSend['audience']): string[] => [
  ...(audience.hasNumbers ? [t('audience.pasted')] : []),
  ...(audience.hasFile ? [t('audience.file')] : []),
  ...(audience.segment ? [t('audience.segment', { name: audience.segment })] : []),
  ...(audience.againOf ? [t('audience.againOf', { name: audience.againOf })] : []),
  ...(audience.unansweredOf ? [t('audience.unansweredOf', { name: audience.unansweredOf })] : []),
]

const capitalize = (text: string, language: string): string => {
  const [first = '', ...rest] = text
  return first.toLocaleUpperCase(language) + rest.join('')
}

/** The audience of a send, in one line. */
export function AudienceWords({ audience }: AudienceProps) {
  const { t, i18n } = useTranslation('bulk-sends')
  const tags = listOf(i18n.language, audience).format(audience.tags)
  const parts = [...(audience.tags.length ? [t('audience.tagged', { tags })] : []), ...othersOf(t, audience)]
  return <>{capitalize(parts.join(' · '), i18n.language)}</>
}

/** The audience of a send where its column says what it is: tags are dots of their colors and names. */
export function AudienceBrief({ audience }: AudienceProps) {
  const { t, i18n } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const hues = new Map(useOptionalAnswer(tagsQuery(slug))?.items.map(({ label, hue }) => [label, hue]))
  const others = othersOf(t, audience).join(' · ')
  if (!audience.tags.length) return <>{capitalize(others, i18n.language)}</>
  return (
    <>
      {listOf(i18n.language, audience)
        .formatToParts(audience.tags)
        .map(({ type, value }, i) =>
          type === 'literal' ? (
            value
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a send may name a tag twice once it was merged
            <span key={i} className={hues.has(value) ? `tag hue-${hues.get(value)}` : undefined} dir="auto">
              {value}
            </span>
          ),
        )}
      {others ? ` · ${others}` : null}
    </>
  )
}

import { useTranslation } from 'react-i18next'
import { useKnownAnswer } from '#client/app/queries/use-answer.ts'
import { segmentsQuery } from '#client/segments/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { neededValues } from '#client/templates/send-values.ts'
import { useValueLabel } from '#client/templates/value-label.ts'
import type { ValueSource } from '#shared/bulk-sends/values.ts'
import type { ContactField } from '#shared/contacts/fields.ts'
import type { Template } from '#shared/templates/api.ts'
import type { TypedAudience } from '../audience/audience-fields.tsx'
import { useChosenStart, useStartOf } from '../start-time.tsx'
import { headerKey, headerKindOf, isOwnFile, type Sources } from '../values/header-values.ts'
import { sourceOf } from '../values/value-fields.tsx'
import type { TypedStart } from './plan/plan-step.tsx'

/** The chosen audience in a line. `people`: how many they are; undefined: not counted. */
export const useAudienceSays = (): ((typed: TypedAudience, people: number | undefined) => string) => {
  const { t, i18n } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const tags = useKnownAnswer(tagsQuery(slug))?.items ?? []
  const segments = useKnownAnswer(segmentsQuery(slug))?.items ?? []
  return ({ tagIds, match, numbers, file, segment, unanswered, again }, people) => {
    const labels = tags.filter(({ id }) => tagIds.includes(id)).map(({ label }) => label)
    const type = match === 'all' ? 'conjunction' : 'disjunction'
    const name = segments.find(({ id }) => id === segment)?.label
    return [
      people === undefined ? undefined : t('count.chosen', { count: people }),
      labels.length ? t('audience.tagged', { tags: new Intl.ListFormat(i18n.language, { type }).format(labels) }) : '',
      segment && name ? t('audience.segment', { name }) : '',
      numbers.trim() ? t('audience.pasted') : '',
      file ? file.name : '',
      again ? t('draft.by.again') : '',
      unanswered ? t('draft.by.unanswered') : '',
    ]
      .filter(Boolean)
      .join(' · ')
  }
}

/** Returns the source of each value of a template as a line: `nombre ← primer nombre del contacto`. */
export const useValuesSay = (): ((
  template: Pick<Template, 'components'>,
  sources: Sources,
  fields: readonly Pick<ContactField, 'id' | 'label'>[],
) => string) => {
  const { t } = useTranslation('bulk-sends')
  const labelOf = useValueLabel()
  return ({ components }, sources, fields) => {
    const from = ({ from, text = '' }: ValueSource): string => {
      if (from === 'field') return t('value.says.field', { name: fields.find(({ id }) => id === text)?.label ?? text })
      return t(`value.says.${from}`, { text: text.trim() })
    }
    const kind = headerKindOf(components)
    const place = ['placeName', 'latitude', 'longitude'] as const
    const [name, latitude, longitude] = place.map(key => sources[headerKey(key)]?.text?.trim() ?? '')
    const parts = neededValues(components).map(needed => {
      const { part, card } = needed
      const isOfHeader = part === 'file' && card === undefined && kind !== undefined
      const source = (isOfHeader ? sources[headerKey('file')] : undefined) ?? sourceOf(sources, needed)
      const label = needed.name || labelOf(needed)
      // A file that is the same for all has no name that says anything.
      if (part === 'file' && !isOwnFile(source)) return label
      const isTime = part === 'offer'
      return `${label} ← ${from(isTime ? { ...source, text: source.text?.replace('T', ' ') ?? '' } : source)}`
    })
    if (kind === 'LOCATION')
      parts.unshift(`${t('header.LOCATION')} ← ${t('value.says.fixed', { text: name || `${latitude}, ${longitude}` })}`)
    return parts.join(', ')
  }
}

/** Returns a function that says in a line how many get it and when. */
export const usePlanSays = (): ((planned: number, start: TypedStart) => string) => {
  const { t } = useTranslation('bulk-sends')
  const chosenOf = useChosenStart()
  const startOf = useStartOf()
  return (planned, { wall, clock }) => {
    const chosen = wall === undefined ? undefined : chosenOf(wall, clock)
    const when =
      chosen &&
      startOf({
        startsAt: 'startAt' in chosen ? chosen.startAt : null,
        localStart: 'localStart' in chosen ? chosen.localStart : null,
      })
    return `${t('count.people', { count: planned })} · ${when ?? t('step.now')}`
  }
}

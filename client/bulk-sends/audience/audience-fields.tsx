import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { tagsQuery } from '#client/tags/queries.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import type { Audience } from '#shared/bulk-sends/audience.ts'
import { NoTags, useGrantedTags } from '../no-tags.tsx'
import { AgainField } from './again-field.tsx'
import { type ChosenFile, CsvFile } from './csv-file.tsx'
import { SegmentField } from './segment-field.tsx'
import { UnansweredField } from './unanswered-field.tsx'

export interface TypedAudience {
  readonly tagIds: readonly string[]
  readonly match: 'any' | 'all'
  readonly numbers: string
  readonly file: ChosenFile | undefined
  /** The earlier send. */
  readonly unanswered: string | undefined
  /** A saved segment. */
  readonly segment: string | undefined
  /** The send whose recipients are used. */
  readonly again: string | undefined
}

export const nobody: TypedAudience = {
  tagIds: [],
  match: 'any',
  numbers: '',
  file: undefined,
  unanswered: undefined,
  segment: undefined,
  again: undefined,
}

/** The request's limit. */
const maxPhoneColumns = 20

const csvOf = ({ text, check: { hasHeader, phoneColumns } }: ChosenFile) => ({
  text,
  hasHeader,
  phoneColumns: phoneColumns.slice(0, maxPhoneColumns),
})

/** Undefined: nobody was chosen. */
export const audienceOf = ({
  tagIds,
  match,
  numbers,
  file,
  unanswered,
  segment,
  again,
}: TypedAudience): Audience | undefined => {
  const hasNumbers = numbers.trim() !== ''
  if (file && !file.check.phoneColumns.length) return undefined
  if (!tagIds.length && !hasNumbers && !file && !unanswered && !segment && !again) return undefined
  return {
    ...(tagIds.length ? { tags: { ids: [...tagIds], match } } : {}),
    ...(hasNumbers ? { numbers } : {}),
    ...(file ? { csv: csvOf(file) } : {}),
    ...(segment ? { segment: { id: segment } } : {}),
    ...(unanswered ? { unanswered: { send: unanswered } } : {}),
    ...(again ? { again: { send: again } } : {}),
  }
}

interface AudienceFieldsProps {
  readonly typed: TypedAudience
  readonly fault: string | undefined
  onChange(typed: TypedAudience): void
}

/**
 * The fields of the audience: contacts with tags or of a segment, pasted numbers, a file, people who have not answered,
 * or a combination.
 */
export function AudienceFields({ typed, fault, onChange }: AudienceFieldsProps) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const id = useId()
  const tags = useAnswer(tagsQuery(slug)).items
  const granted = useGrantedTags()
  // A chosen tag that is no longer granted can still be removed.
  const items = tags.filter(({ id }) => granted === null || granted.has(id) || typed.tagIds.includes(id))
  const toggle = (tagId: string, isOn: boolean) =>
    onChange({ ...typed, tagIds: isOn ? [...typed.tagIds, tagId] : typed.tagIds.filter(one => one !== tagId) })
  return (
    <div className="bulk-audience">
      <NoTags />
      <p className="field-hint">{t('audience.why')}</p>
      {fault ? <Fault>{fault}</Fault> : null}
      <AgainField sendId={typed.again} onChange={again => onChange({ ...typed, again })} />
      {items.length ? (
        <fieldset className="bulk-tags">
          <legend>{t('audience.tags')}</legend>
          <div className="bulk-tag-list wrap">
            {items.map(tag => (
              <label key={tag.id} className="bulk-check">
                <input
                  type="checkbox"
                  checked={typed.tagIds.includes(tag.id)}
                  onChange={({ target }) => toggle(tag.id, target.checked)}
                />
                <span dir="auto">{tag.label}</span>
              </label>
            ))}
          </div>
          {typed.tagIds.length > 1 ? (
            <div className="field">
              <label htmlFor={`${id}-match`}>{t('audience.match')}</label>
              <select
                id={`${id}-match`}
                value={typed.match}
                onChange={({ target }) => onChange({ ...typed, match: target.value as TypedAudience['match'] })}
              >
                <option value="any">{t('audience.any')}</option>
                <option value="all">{t('audience.all')}</option>
              </select>
            </div>
          ) : null}
        </fieldset>
      ) : null}
      <div className="bulk-source">
        <SegmentField segmentId={typed.segment} onChange={segment => onChange({ ...typed, segment })} />
      </div>
      <div className="field">
        <label htmlFor={`${id}-numbers`}>{t('audience.numbers')}</label>
        <textarea
          dir="ltr"
          id={`${id}-numbers`}
          rows={5}
          inputMode="tel"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-hint`}
          value={typed.numbers}
          onChange={({ target }) => onChange({ ...typed, numbers: target.value })}
        />
        <div id={`${id}-hint`} className="field-hint">
          {t('audience.numbersHint')}
        </div>
      </div>
      <UnansweredField sendId={typed.unanswered} onChange={unanswered => onChange({ ...typed, unanswered })} />
      <CsvFile file={typed.file} onChange={file => onChange({ ...typed, file })} />
    </div>
  )
}

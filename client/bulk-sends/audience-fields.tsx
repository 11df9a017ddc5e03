import { useSuspenseQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Audience } from '#shared/bulk-sends.ts'
import { useOrg } from '../shell/viewer.ts'
import { tagsQuery } from '../tags/queries.ts'
import { Fault } from '../ui/field.tsx'

export interface TypedAudience {
  readonly tagIds: readonly string[]
  readonly match: 'any' | 'all'
  readonly numbers: string
}

/** Undefined: nobody is named. */
export const audienceOf = ({ tagIds, match, numbers }: TypedAudience): Audience | undefined => {
  const hasNumbers = numbers.trim() !== ''
  if (!tagIds.length && !hasNumbers) return undefined
  return {
    ...(tagIds.length ? { tags: { ids: [...tagIds], match } } : {}),
    ...(hasNumbers ? { numbers } : {}),
  }
}

interface AudienceFieldsProps {
  readonly typed: TypedAudience
  readonly fault: string | undefined
  onChange(typed: TypedAudience): void
}

/** Whom it goes to: contacts with tags, pasted numbers, or both. */
export function AudienceFields({ typed, fault, onChange }: AudienceFieldsProps) {
  const { t } = useTranslation('bulk')
  const { slug } = useOrg()
  const id = useId()
  const { items } = useSuspenseQuery(tagsQuery(slug)).data
  const toggle = (tagId: string, isOn: boolean) =>
    onChange({ ...typed, tagIds: isOn ? [...typed.tagIds, tagId] : typed.tagIds.filter(one => one !== tagId) })
  return (
    <>
      {items.length ? (
        <fieldset className="bulk-tags">
          <legend>{t('audience.tags')}</legend>
          <div className="bulk-tag-list">
            {items.map(tag => (
              <label key={tag.id} className="bulk-check">
                <input
                  type="checkbox"
                  checked={typed.tagIds.includes(tag.id)}
                  onChange={({ target }) => toggle(tag.id, target.checked)}
                />
                <span>{tag.label}</span>
              </label>
            ))}
          </div>
        </fieldset>
      ) : null}
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
      <div className="field">
        <label htmlFor={`${id}-numbers`}>{t('audience.numbers')}</label>
        <textarea
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
      {fault ? <Fault>{fault}</Fault> : null}
    </>
  )
}

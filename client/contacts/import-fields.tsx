import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportPreview } from '#shared/contacts/imports.ts'
import type { CardColumn } from '#shared/people-files/vcard.ts'
import type { Tag } from '#shared/tags/api.ts'
import { Doubts } from './import-preview.tsx'

interface ColumnTargetsProps {
  readonly seen: ImportPreview
  /** The file has contact cards, whose columns have no titles. */
  readonly isCards: boolean
  readonly targets: readonly string[]
  nameOf(target: string): string
  /** Assigns what the column at this place holds. */
  onTarget(place: number, target: string): void
  onHeader(hasHeader: boolean): void
}

/** Lets the person choose the field of the contact into which each column of the file goes. */
export function ColumnTargets({ seen, isCards, targets, nameOf, onTarget, onHeader }: ColumnTargetsProps) {
  const { t } = useTranslation('contacts')
  const id = useId()
  return (
    <fieldset className="import-columns stack-m box">
      <legend>{t('import.columns')}</legend>
      {isCards ? null : (
        <label className="import-header line">
          <input type="checkbox" checked={seen.hasHeader} onChange={({ target }) => onHeader(target.checked)} />
          <span>{t('import.hasHeader')}</span>
        </label>
      )}
      <Doubts seen={seen} isCards={isCards} />
      {seen.columns.map(({ name, target, sample }, i) => (
        <div key={name} className="field import-column">
          <label htmlFor={`${id}-${i}`}>
            <b className="cut">{isCards ? t(`import.card.${name as CardColumn}`) : name}</b>
            <small className="cut" dir="auto">
              {sample}
            </small>
          </label>
          <select id={`${id}-${i}`} value={target} onChange={event => onTarget(i, event.target.value)}>
            {targets.map(one => (
              <option key={one} value={one} dir="auto">
                {nameOf(one)}
              </option>
            ))}
          </select>
        </div>
      ))}
    </fieldset>
  )
}

interface ImportOptionsProps {
  readonly existing: 'keep' | 'replace'
  readonly tagId: string
  readonly tags: readonly Pick<Tag, 'id' | 'label'>[]
  onChange(option: { existing: 'keep' | 'replace' } | { tagId: string }): void
}

/** Lets the person choose what happens to contacts that exist already, and a tag for all that are imported. */
export function ImportOptions({ existing, tagId, tags, onChange }: ImportOptionsProps) {
  const { t } = useTranslation('contacts')
  const id = useId()
  return (
    <div className="import-options wrap">
      <div className="field">
        <label htmlFor={`${id}-existing`}>{t('import.existing')}</label>
        <select
          id={`${id}-existing`}
          value={existing}
          onChange={({ target }) => onChange({ existing: target.value as 'keep' | 'replace' })}
        >
          <option value="keep">{t('import.keep')}</option>
          <option value="replace">{t('import.replace')}</option>
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-tag`}>{t('import.tag')}</label>
        <select id={`${id}-tag`} value={tagId} onChange={({ target }) => onChange({ tagId: target.value })}>
          <option value="">{t('import.noTag')}</option>
          {tags.map(tag => (
            <option key={tag.id} value={tag.id} dir="auto">
              {tag.label}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isComposing } from '#client/ui/controls/composing.ts'
import { Field } from '#client/ui/controls/field.tsx'
import { useEditorFacts } from '../editor/editor-context.ts'
import type { Play } from './use-play.ts'

/** The customer of a trial: the facts that conditions and texts use. */
export function PlayCustomer({ play }: { readonly play: Play }) {
  const { t } = useTranslation('flows')
  const { names } = useEditorFacts()
  const hoursId = useId()
  const { customer, setCustomer } = play
  const [name, setName] = useState(customer.name)
  const rename = () => {
    if (name !== customer.name) setCustomer({ ...customer, name })
  }
  return (
    <details>
      <summary>{t('play.customer')}</summary>
      <Field
        label={t('play.name')}
        value={name}
        maxLength={200}
        autoComplete="off"
        onChange={({ target }) => setName(target.value)}
        onBlur={rename}
        onKeyDown={({ key, nativeEvent }) => {
          if (key === 'Enter' && !isComposing(nativeEvent)) rename()
        }}
      />
      <div className="field">
        <label htmlFor={hoursId}>{t('play.hours')}</label>
        <select
          id={hoursId}
          value={customer.hours}
          onChange={({ target }) => setCustomer({ ...customer, hours: target.value as typeof customer.hours })}
        >
          {(['real', 'inside', 'outside'] as const).map(one => (
            <option key={one} value={one}>
              {t(`play.hoursAre.${one}`)}
            </option>
          ))}
        </select>
      </div>
      {names.tags.size ? (
        <fieldset className="flow-play-tags">
          <legend>{t('play.tags')}</legend>
          {[...names.tags].map(([id, label]) => (
            <label key={id} className="flow-check">
              <input
                type="checkbox"
                checked={customer.tagIds.includes(id)}
                disabled={customer.tagIds.length >= 30 && !customer.tagIds.includes(id)}
                onChange={({ target }) => {
                  const others = customer.tagIds.filter(one => one !== id)
                  setCustomer({ ...customer, tagIds: target.checked ? [...others, id] : others })
                }}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
      ) : null}
    </details>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useTyped } from '#client/app/input/use-typed.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { orgSettingsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import {
  type FormSettingKey,
  formSettingKeys,
  plainSettingField,
  type SettingCard,
} from '#shared/orgs/setting-fields.ts'
import type { OrgSettings } from '#shared/orgs/settings.ts'
import { useFormPart } from './joint-form.tsx'

type Typed = Readonly<Record<string, string>>

const typedFrom = (keys: readonly FormSettingKey[], settings: OrgSettings): Typed =>
  Object.fromEntries(keys.map(key => [key, String(settings[key] ?? '')]))

/** The typed value as the call takes it. An empty field is null. */
const typedValue = (key: FormSettingKey, typed: string): string | number | null => {
  const text = typed.trim()
  if (text === '') return null
  // JSON would turn NaN into null, and the call would clear the setting. It refuses a text.
  return plainSettingField(key).form?.input === 'integer' && !Number.isNaN(Number(text)) ? Number(text) : text
}

/** Texts of a field; a test sees to it that each field with an input has all of them. */
const useSettingTexts = () => {
  const { t } = useTranslation(['settings', 'org-settings'])
  return (key: FormSettingKey, what: 'label' | 'hint' | 'fault') =>
    t(`org-settings:${key}.${what}` as 'org-settings:timeZone.label')
}

function CardFields({ keys }: { keys: readonly FormSettingKey[] }) {
  const textOf = useSettingTexts()
  const api = useApi()
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const stored = typedFrom(keys, useAnswer(orgSettingsQuery(org.slug)))
  const [typed, setTyped] = useTyped(stored)
  const [error, setError] = useState<unknown>()
  const changed = keys.filter(key => typed[key] !== stored[key])
  const faulty = keys.filter(key => fieldFault(error, `body.${key}`) !== undefined)
  useFormPart({
    isChanged: changed.length > 0,
    async save() {
      setError(undefined)
      try {
        const body = Object.fromEntries(changed.map(key => [key, typedValue(key, typed[key] ?? '')]))
        const answer = await api.orgSettings.changeSettings({ body })
        client.setQueryData(orgSettingsQuery(org.slug).queryKey, answer)
        setTyped(typedFrom(keys, answer))
        return true
      } catch (refusal) {
        setError(refusal)
        return false
      }
    },
    discard() {
      setTyped(stored)
      setError(undefined)
    },
  })
  return (
    <div className="form">
      {keys.map(key => {
        const { form } = plainSettingField(key)
        return (
          <Field
            key={key}
            label={textOf(key, 'label')}
            hint={textOf(key, 'hint')}
            type={form?.input === 'url' ? 'url' : 'text'}
            inputMode={form?.input === 'integer' ? 'numeric' : undefined}
            maxLength={form?.maxLength}
            value={typed[key]}
            fault={faulty.includes(key) ? textOf(key, 'fault') : undefined}
            onChange={({ target }) => {
              setTyped({ ...typed, [key]: target.value })
              setError(undefined)
            }}
          />
        )
      })}
      {error !== undefined && !faulty.length ? <Fault>{failureText(error)}</Fault> : null}
    </div>
  )
}

/** Inputs for the settings fields of a card, in a `JointForm`. */
export function SettingsFields({ card }: { card: SettingCard }) {
  const keys = formSettingKeys(card)
  return keys.length ? <CardFields keys={keys} /> : null
}

/** The same to read, as entries of a `dl`. Fields that nobody has filled in are left out. */
export function SettingFacts({ card }: { card: SettingCard }) {
  const textOf = useSettingTexts()
  const settings = useAnswer(orgSettingsQuery(useOrg().slug))
  return formSettingKeys(card).map(key => {
    const value = settings[key]
    if (value === null) return null
    const text = String(value)
    return (
      <Fragment key={key}>
        <dt>{textOf(key, 'label')}</dt>
        <dd>
          {plainSettingField(key).form?.input === 'url' ? (
            <a href={text} target="_blank" rel="noopener noreferrer nofollow">
              {text}
            </a>
          ) : (
            <bdi>{text}</bdi>
          )}
        </dd>
      </Fragment>
    )
  })
}

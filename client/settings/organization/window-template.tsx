import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useTyped } from '#client/app/input/use-typed.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import { useAnswer, useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { orgSettingsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { isFilePlace, keptFileOf } from '#client/templates/send-values.ts'
import { TemplateChoices } from '#client/templates/template-choices.tsx'
import { LanguageName } from '#client/templates/words.tsx'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { canBeSent, neededValues } from '#shared/flows/templates.ts'
import type { WindowTemplate } from '#shared/orgs/setting-fields.ts'
import type { Template } from '#shared/templates/api.ts'
import type { TemplateComponent } from '#shared/templates/components.ts'
import { isApproved } from '#shared/templates/words.ts'
import { useFormPart } from '../joint-form.tsx'

const valueMaxChars = 1024
const nameVariable = '{{contacto.nombre}}'

/** True if the template can be used for months: it has no offer with an end. */
const isLasting = (components: readonly TemplateComponent[]): boolean =>
  canBeSent(components) && neededValues(components).every(({ part }) => part !== 'offer')

/** The template's own file, which stays as long as the template. Undefined: it has none. */
const ownFile = (template: Pick<Template, 'media'> | undefined): string | undefined =>
  template && keptFileOf(template, null)?.handle

interface FileOfHeaderProps {
  readonly own: string | undefined
  readonly value: string
  onChange(value: string): void
}

/** The header's file: the template's own, or one at a public address. Uploads are deleted when no message shows them. */
function FileOfHeader({ own, value, onChange }: FileOfHeaderProps) {
  const { t } = useTranslation('settings')
  if (own !== undefined && own === value) return <p className="field-hint">{t('windowTemplate.ownFile')}</p>
  return (
    <>
      <Field
        label={t('windowTemplate.value.media')}
        hint={t('windowTemplate.mediaHint')}
        type="url"
        inputMode="url"
        value={value}
        maxLength={valueMaxChars}
        onChange={({ target }) => onChange(target.value)}
      />
      {own === undefined ? null : (
        <button type="button" className="link" onClick={() => onChange(own)}>
          {t('windowTemplate.useOwnFile')}
        </button>
      )}
    </>
  )
}

/** The template that one press sends while a window is about to close, with its values. */
export function WindowTemplateSettings() {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const api = useApi()
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { windowTemplate: stored } = useAnswer(orgSettingsQuery(org.slug))
  const [typed, setTyped] = useTyped<WindowTemplate | null>(stored)
  const [isChoosing, setIsChoosing] = useState(false)
  const [fault, setFault] = useState<string>()
  const choose = (next: WindowTemplate | null) => {
    setTyped(next)
    setFault(undefined)
  }
  const found = useOptionalAnswer({
    ...queryFor(org.slug, 'templates.getByName', {
      params: { name: typed?.template || '-' },
      query: { language: typed?.language ?? '' },
    }),
    enabled: typed !== null,
  })
  const known = found && found.name === typed?.template && found.language === typed.language ? found : undefined
  const needed = known ? neededValues(known.components) : []
  const isWhole = needed.every(
    ({ at, part }) => typed?.values[at]?.trim() && (part !== 'media' || isFilePlace(typed.values[at].trim())),
  )
  useFormPart({
    isChanged: JSON.stringify(typed) !== JSON.stringify(stored),
    async save() {
      setFault(isWhole ? undefined : t('windowTemplate.fillAll'))
      if (!isWhole) return false
      try {
        const answer = await api.orgSettings.changeSettings({ body: { windowTemplate: typed } })
        client.setQueryData(orgSettingsQuery(org.slug).queryKey, answer)
        return true
      } catch (refusal) {
        setFault(failureText(refusal))
        return false
      }
    },
    discard() {
      setTyped(stored)
      setIsChoosing(false)
      setFault(undefined)
    },
  })
  return (
    <div className="form">
      <p>{t('windowTemplate.text')}</p>
      {isChoosing ? (
        <Suspense>
          <div className="card-buttons">
            <button type="button" className="button" onClick={() => setIsChoosing(false)}>
              {common('cancel')}
            </button>
          </div>
          <TemplateChoices
            canSend={isLasting}
            onChoose={({ name, language, components, media }) => {
              const [first] = neededValues(components).filter(({ part }) => part !== 'media')
              const values = Object.fromEntries(
                neededValues(components).map(({ at, part }) => [
                  at,
                  part === 'media' ? (ownFile({ media }) ?? '') : at === first?.at ? nameVariable : '',
                ]),
              )
              choose({ template: name, language, values })
              setIsChoosing(false)
            }}
          />
        </Suspense>
      ) : (
        <>
          <p>
            <b dir="auto">{typed?.template ?? t('windowTemplate.none')}</b>{' '}
            <Suspense>{typed ? <LanguageName code={typed.language} /> : null}</Suspense>
          </p>
          <div className="card-buttons">
            <button type="button" className="button" onClick={() => setIsChoosing(true)}>
              {t(typed ? 'windowTemplate.other' : 'windowTemplate.choose')}
            </button>
            {typed ? (
              <button type="button" className="button button-quiet" onClick={() => choose(null)}>
                {t('windowTemplate.remove')}
              </button>
            ) : null}
          </div>
          {typed
            ? needed.map(({ at, part, name }) =>
                part === 'media' ? (
                  <FileOfHeader
                    key={at}
                    own={ownFile(known)}
                    value={typed.values[at] ?? ''}
                    onChange={value => choose({ ...typed, values: { ...typed.values, [at]: value } })}
                  />
                ) : (
                  <Field
                    key={at}
                    label={t(
                      part === 'buttons' && !name
                        ? 'windowTemplate.value.code'
                        : `windowTemplate.value.${part as 'body' | 'header' | 'buttons'}`,
                      { name },
                    )}
                    hint={t('windowTemplate.valueHint', { example: nameVariable, agent: '{{agente.nombre}}' })}
                    value={typed.values[at] ?? ''}
                    maxLength={valueMaxChars}
                    onChange={({ target }) => choose({ ...typed, values: { ...typed.values, [at]: target.value } })}
                  />
                ),
              )
            : null}
          {known && !isApproved(known.status) ? <Fault>{t('windowTemplate.notApproved')}</Fault> : null}
        </>
      )}
      {fault === undefined ? null : <Fault>{fault}</Fault>}
    </div>
  )
}

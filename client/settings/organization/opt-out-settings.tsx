import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { AreaField, Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { optOutTextMaxChars, type OptOutSettings as Settings } from '#shared/opt-outs/api.ts'
import { SaveButton } from '../save-button.tsx'

const optOutSettingsQuery = (org: string | undefined) => queryFor(org, 'optOuts.getSettings', {})

const wordsFrom = (text: string): string[] =>
  text
    .split(/[,;\n]/)
    .map(word => word.trim())
    .filter(word => word !== '')

interface Typed {
  readonly stopWords: string
  readonly resumeWords: string
  readonly confirms: boolean
  readonly stopText: string
  readonly resumeText: string
}
const typedFrom = ({ stopWords, resumeWords, confirms, stopText, resumeText }: Settings): Typed => ({
  stopWords: stopWords.join(', '),
  resumeWords: resumeWords.join(', '),
  confirms,
  stopText,
  resumeText,
})

const fields = ['stopWords', 'resumeWords', 'stopText', 'resumeText'] as const
const fieldFaults = (error: unknown) =>
  Object.fromEntries(fields.map(field => [field, fieldFault(error, `body.${field}`)])) as Record<
    (typeof fields)[number],
    string | undefined
  >

/** Keywords for opting out and in, and the answers to them. */
export function OptOutSettings() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const stored = useAnswer(optOutSettingsQuery(org.slug))
  const before = typedFrom(stored)
  const [typed, setTyped] = useState(before)
  const [error, setError] = useState<unknown>()
  const [isSaving, save] = useWork()
  const put = (change: Partial<Typed>) => setTyped(now => ({ ...now, ...change }))
  const isChanged = JSON.stringify(typed) !== JSON.stringify(before)
  const canSave = isChanged && !isSaving
  const faults = fieldFaults(error)
  const submit = () =>
    save(async () => {
      setError(undefined)
      const { confirms, stopText, resumeText } = typed
      try {
        const answer = await api.optOuts.changeSettings({
          body: {
            stopWords: wordsFrom(typed.stopWords),
            resumeWords: wordsFrom(typed.resumeWords),
            confirms,
            ...(stopText === before.stopText ? {} : { stopText }),
            ...(resumeText === before.resumeText ? {} : { resumeText }),
          },
        })
        client.setQueryData(optOutSettingsQuery(org.slug).queryKey, answer)
        setTyped(typedFrom(answer))
        toast(t('saved'), { kind: 'success' })
      } catch (refusal) {
        setError(refusal)
      }
    })
  const text = (name: 'stopText' | 'resumeText') => (
    <AreaField
      label={t(`optOuts.${name}`)}
      rows={3}
      value={typed[name]}
      maxLength={optOutTextMaxChars}
      disabled={!typed.confirms}
      fault={faults[name]}
      onChange={({ target }) => put({ [name]: target.value })}
    />
  )
  const isElsewhere = error !== undefined && !fields.some(field => faults[field])
  return (
    <form className="form" action={() => (canSave ? submit() : undefined)} noValidate>
      <p>{t('optOuts.text')}</p>
      <Field
        label={t('optOuts.stopWords')}
        hint={t('optOuts.wordsHint')}
        value={typed.stopWords}
        fault={faults.stopWords}
        onChange={({ target }) => put({ stopWords: target.value })}
      />
      <Field
        label={t('optOuts.resumeWords')}
        value={typed.resumeWords}
        fault={faults.resumeWords}
        onChange={({ target }) => put({ resumeWords: target.value })}
      />
      <label className="check">
        <input type="checkbox" checked={typed.confirms} onChange={({ target }) => put({ confirms: target.checked })} />
        {t('optOuts.confirms')}
      </label>
      {text('stopText')}
      {text('resumeText')}
      {isElsewhere ? <Fault>{failureText(error)}</Fault> : null}
      <SaveButton
        canSave={canSave}
        onDiscard={() => {
          setTyped(before)
          setError(undefined)
        }}
      />
    </form>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useFacts } from '#client/app/facts.ts'
import { useTyped } from '#client/app/input/use-typed.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import type { Api } from '#shared/api.ts'
import { fullTime, longDate } from '#shared/kernel/time.ts'
import { bytesText } from '#shared/media/sent-files.ts'
import { maxRetentionMonths, minRetentionMonths } from '#shared/orgs/setting-fields.ts'
import { SaveButton } from '../save-button.tsx'

const retentionQuery = (org: string | undefined) => queryFor(org, 'retention.getRetention', {})
const ConfirmDialog = lazyDialog(async () => ({
  default: (await import('#client/ui/overlays/confirm-dialog.tsx')).ConfirmDialog,
}))

interface Asked {
  readonly months: number
  readonly preview: Awaited<ReturnType<Api['retention']['previewRetention']>>
}

/** Says what would be deleted. */
function useConsequences() {
  const { t } = useTranslation('settings')
  const { language, timeZone } = useFacts()
  const number = new Intl.NumberFormat(language === 'es' ? 'es-AR' : 'en-GB')
  return ({ preview }: Asked, nextAt: string): string[] => {
    const { messages, files, bytes, isMore } = preview
    const before = longDate(preview.before, language, timeZone)
    const shown = { number: number.format(messages), count: messages, before }
    const first = messages
      ? t(isMore ? 'retention.deletesMore' : 'retention.deletes', shown)
      : t('retention.none', { before })
    const count = { number: number.format(files), count: files, size: bytesText(bytes) }
    return [
      first,
      ...(files ? [t(isMore ? 'retention.filesMore' : 'retention.files', count)] : []),
      t('retention.begins', { when: fullTime(nextAt, language, timeZone) }),
      t('retention.forGood'),
    ]
  }
}

/** Sets how long messages and their files are kept. For owners. */
export function RetentionSettings() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { language, timeZone } = useFacts()
  const consequences = useConsequences()
  const stored = useAnswer(retentionQuery(org.slug))
  const before = { isOn: stored.months !== null, months: String(stored.months ?? 24) }
  const [typed, setTyped] = useTyped(before)
  const [asked, setAsked] = useState<Asked>()
  const [error, setError] = useState<unknown>()
  const [isSaving, save] = useWork()
  const isChanged = typed.isOn !== before.isOn || (typed.isOn && typed.months !== before.months)
  const canSave = isChanged && !isSaving

  const put = async (months: number | null) => {
    const answer = await api.retention.setRetention({ body: { months } })
    client.setQueryData(retentionQuery(org.slug).queryKey, answer)
    setTyped({ isOn: answer.months !== null, months: String(answer.months ?? typed.months) })
    toast(t('saved'), { kind: 'success' })
  }
  const submit = () =>
    save(async () => {
      setError(undefined)
      try {
        if (!typed.isOn) return await put(null)
        const months = Number(typed.months)
        setAsked({ months, preview: await api.retention.previewRetention({ query: { months } }) })
      } catch (refusal) {
        setError(refusal)
      }
    })
  const fault = fieldFault(error, 'query.months') ?? fieldFault(error, 'body.months')
  return (
    <form className="form" action={() => (canSave ? submit() : undefined)} noValidate>
      <p>{t('retention.text')}</p>
      <p>{t('retention.stays')}</p>
      <label className="check">
        <input
          type="checkbox"
          checked={typed.isOn}
          onChange={({ target }) => setTyped({ ...typed, isOn: target.checked })}
        />
        {t('retention.label')}
      </label>
      {typed.isOn ? (
        <Field
          label={t('retention.months')}
          hint={t('retention.bounds', { min: minRetentionMonths, max: maxRetentionMonths })}
          type="number"
          inputMode="numeric"
          min={minRetentionMonths}
          max={maxRetentionMonths}
          value={typed.months}
          fault={fault}
          onChange={({ target }) => setTyped({ ...typed, months: target.value })}
        />
      ) : null}
      {stored.nextAt ? (
        <p role="status">
          {t('retention.next', { when: fullTime(stored.nextAt, language, timeZone) })}{' '}
          {stored.lastRun
            ? t('retention.last', {
                count: stored.lastRun.deletedMessages,
                when: fullTime(stored.lastRun.at, language, timeZone),
              })
            : null}
        </p>
      ) : null}
      {error !== undefined && !fault ? <Fault>{failureText(error)}</Fault> : null}
      <SaveButton
        canSave={canSave}
        label={t(typed.isOn ? 'retention.look' : 'save')}
        onDiscard={() => {
          setTyped(before)
          setError(undefined)
        }}
      />
      {asked ? (
        <ConfirmDialog
          title={t('retention.ask', { count: asked.months })}
          says={consequences(asked, asked.preview.startsAt)}
          confirm={t('retention.confirm')}
          run={() => put(asked.months)}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </form>
  )
}

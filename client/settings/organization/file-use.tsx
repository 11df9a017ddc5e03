import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useTyped } from '#client/app/input/use-typed.ts'
import { keyFor, queryFor } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { orgSettingsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { bytesText } from '#shared/media/sent-files.ts'
import { minFilesLimitBytes } from '#shared/media/use.ts'
import { SaveButton } from '../save-button.tsx'
import './file-use.css'

const gigabyte = 2 ** 30
const gigabytesOf = (bytes: number | null): string =>
  bytes === null ? '' : String(Math.round((bytes / gigabyte) * 10) / 10)
const bytesOf = (typed: string): number | null =>
  typed.trim() === '' ? null : Math.round(Number(typed.replace(',', '.')) * gigabyte)

/** Used and allowed bytes of files. */
export function FileUse() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { bytes, limitBytes, mostBytes } = useAnswer(queryFor(org.slug, 'fileUse.getFileUse', {}))
  const settings = useAnswer(orgSettingsQuery(org.slug))
  const before = { limit: gigabytesOf(settings.filesLimitBytes) }
  const [typed, setTyped] = useTyped(before)
  const [error, setError] = useState<unknown>()
  const [isSaving, save] = useWork()
  const canSave = typed.limit !== before.limit && !isSaving
  const submit = () =>
    save(async () => {
      setError(undefined)
      try {
        await api.orgSettings.changeSettings({ body: { filesLimitBytes: bytesOf(typed.limit) } })
        await Promise.all(
          (['fileUse.getFileUse', 'orgSettings.getSettings'] as const).map(name =>
            client.invalidateQueries({ queryKey: keyFor(org.slug, name) }),
          ),
        )
        toast(t('saved'), { kind: 'success' })
      } catch (refusal) {
        setError(refusal)
      }
    })
  const used = bytesText(bytes)
  const isFull = limitBytes !== null && bytes >= limitBytes
  const isFault = fieldFault(error, 'body.filesLimitBytes') !== undefined
  const bounds = { min: bytesText(minFilesLimitBytes), max: mostBytes === null ? '' : bytesText(mostBytes) }
  return (
    <form className="form" action={() => (canSave ? submit() : undefined)} noValidate>
      <p>{t('files.text')}</p>
      {limitBytes === null ? (
        <p>{t('files.used', { used })}</p>
      ) : (
        <>
          <p id="file-use">{t('files.usedOf', { used, limit: bytesText(limitBytes) })}</p>
          <progress
            className="file-use"
            aria-labelledby="file-use"
            max={limitBytes}
            value={Math.min(bytes, limitBytes)}
          />
        </>
      )}
      {isFull ? <p role="status">{t('files.full')}</p> : null}
      <Field
        label={t('files.limit')}
        hint={t(mostBytes === null ? 'files.hintUnlimited' : 'files.hint', bounds)}
        inputMode="decimal"
        value={typed.limit}
        fault={isFault ? t(mostBytes === null ? 'files.boundsUnlimited' : 'files.bounds', bounds) : undefined}
        onChange={({ target }) => setTyped({ limit: target.value })}
      />
      {error !== undefined && !isFault ? <Fault>{failureText(error)}</Fault> : null}
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

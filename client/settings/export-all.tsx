import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { useApi, useFailureText } from '../app/use-api.ts'

/** Exports everything the organization has. For owners. */
export function ExportAll() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const failureText = useFailureText()
  const [started, setStarted] = useState<{ contacts: number; messages: number }>()
  const [failure, setFailure] = useState<string>()
  const [isPreparing, prepare] = useTransition()
  const begin = () =>
    prepare(async () => {
      setFailure(undefined)
      setStarted(undefined)
      try {
        const { url, contacts, messages } = await api.orgExport.prepare({})
        setStarted({ contacts, messages })
        // A download: the page stays.
        location.assign(url)
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    <>
      <p>{t('export.text')}</p>
      {failure ? <Fault>{failure}</Fault> : null}
      <p role="status">{started ? t('export.started', started) : null}</p>
      <div className="card-buttons">
        <button type="button" className="button" aria-disabled={isPreparing} onClick={() => isPreparing || begin()}>
          {t('export.open')}
        </button>
      </div>
    </>
  )
}

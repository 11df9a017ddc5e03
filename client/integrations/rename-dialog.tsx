import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Field } from '#client/ui/controls/field.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { type Connection, numberLabelMaxChars } from '#shared/numbers/api.ts'
import { refreshConnection } from './queries.ts'

interface RenameDialogProps {
  readonly connection: Connection
  onClose(): void
}

/** Changes a number's label. Empty: its phone number is shown. */
export default function RenameDialog({ connection, onClose }: RenameDialogProps) {
  const { t } = useTranslation('integrations')
  const { t: common } = useTranslation()
  const org = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [label, setLabel] = useState(connection.label ?? '')
  const [error, setError] = useState<unknown>()
  const [isSaving, save] = useTransition()
  const submit = () =>
    save(async () => {
      setError(undefined)
      try {
        await api.numbers.rename({ query: { id: connection.id }, body: { label } })
      } catch (refused) {
        return setError(refused)
      }
      await refreshConnection(client, org.slug)
      onClose()
    })
  return (
    <Modal
      title={t('rename.title', { number: connection.displayPhone || connection.phone })}
      width={420}
      onClose={onClose}
    >
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          if (!isSaving) submit()
        }}
      >
        <Field
          label={t('rename.label')}
          hint={t('rename.hint')}
          name="label"
          autoComplete="off"
          maxLength={numberLabelMaxChars}
          value={label}
          {...(error ? { fault: failureText(error) } : {})}
          onChange={({ target }) => setLabel(target.value)}
        />
        <div className="dialog-buttons">
          <button type="button" className="button" onClick={onClose}>
            {common('cancel')}
          </button>
          <button type="submit" className="button button-primary" aria-disabled={isSaving}>
            {t('rename.save')}
          </button>
        </div>
      </form>
    </Modal>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { ReplyOf } from '#shared/kernel/contract.ts'
import { type Connection, type numbersApi, verifiedNameMaxChars } from '#shared/numbers/api.ts'
import { faultBeside } from './fault-beside.ts'
import { refreshConnection } from './queries.ts'
import { refreshStanding } from './standing-queries.ts'

type Answer = ReplyOf<typeof numbersApi.setVerifiedName>

/** Requests a display name from Meta and shows its state. An approved one needs the number's PIN. */
export default function NameDialog({ connection, onClose }: { connection: Connection; onClose(): void }) {
  const { t } = useTranslation('integrations')
  const org = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [name, setName] = useState(connection.verifiedName ?? '')
  const [pin, setPin] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [error, setError] = useState<unknown>()
  const [answer, setAnswer] = useState<Answer>()
  const [isAsking, ask] = useWork()
  const wantsPin = answer?.state === 'approved'
  const submit = () =>
    ask(async () => {
      setError(undefined)
      setMissing(name.trim() === '')
      if (name.trim() === '') return
      const body = { name: name.trim(), phone: connection.phone, ...(wantsPin && pin ? { pin } : {}) }
      try {
        setAnswer(await api.numbers.setVerifiedName({ body }))
        await Promise.all([refreshConnection(client, org.slug), refreshStanding(client, org.slug)])
      } catch (refused) {
        setError(refused)
      }
    })
  const isBeside = faultBeside(error, 'name') || faultBeside(error, 'pin')
  const number = connection.displayPhone || connection.phone
  return (
    <Modal title={t('name.title')} width={480} onClose={onClose}>
      <p className="lead">{t('name.text', { number })}</p>
      {answer ? (
        <p className={`notice ${answer.state === 'declined' ? 'notice-error' : 'notice-good'}`} role="status">
          {t(`name.state.${answer.state}`, { name: answer.name })}
        </p>
      ) : null}
      <DialogForm
        confirm={t(isAsking ? 'name.asking' : wantsPin ? 'name.use' : 'name.ask')}
        isWorking={isAsking}
        onSubmit={submit}
        onCancel={onClose}
      >
        <Field
          label={t('name.label')}
          hint={t('name.hint')}
          name="name"
          autoComplete="off"
          maxLength={verifiedNameMaxChars}
          value={name}
          fault={isMissing ? t('token.required') : faultBeside(error, 'name')}
          onChange={({ target }) => {
            setAnswer(undefined)
            setName(target.value)
          }}
        />
        {wantsPin ? (
          <Field
            label={t('name.pin')}
            hint={t('name.pinHint')}
            name="pin"
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            value={pin}
            fault={faultBeside(error, 'pin')}
            onChange={({ target }) => setPin(target.value.replace(/\D/g, ''))}
          />
        ) : null}
        {error && !isBeside ? <Fault>{failureText(error)}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}

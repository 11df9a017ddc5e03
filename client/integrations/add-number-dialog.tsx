import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { verifiedNameMaxChars } from '#shared/numbers/api.ts'
import { faultBeside } from './fault-beside.ts'
import { refreshConnection } from './queries.ts'
import { refreshStanding } from './standing-queries.ts'

const fields = ['phone', 'nameWaba', 'code', 'number', 'pin'] as const

/** Adds a number to the WhatsApp account: phone and name, then the code that Meta sends. */
export default function AddNumberDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('integrations')
  const org = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [values, setValues] = useState({ phone: '', nameWaba: '', code: '', pin: '' })
  const [way, setWay] = useState<'sms' | 'voice'>('sms')
  const [sentTo, setSentTo] = useState<{ phone: string; shown: string }>()
  const [missing, setMissing] = useState<readonly string[]>([])
  const [error, setError] = useState<unknown>()
  const [isWorking, work] = useWork()
  const set = (change: Partial<typeof values>) => setValues({ ...values, ...change })
  const pin = values.pin ? { pin: values.pin } : {}

  const connected = async (number: string) => {
    await Promise.all([refreshConnection(client, org.slug), refreshStanding(client, org.slug)])
    toast(t('add.done', { number }), { kind: 'success' })
    onClose()
  }
  /** Marks empty fields. Returns whether there are any. */
  const markEmpty = (...names: (keyof typeof values)[]) => {
    const empty = names.filter(name => values[name].trim() === '')
    setMissing(empty)
    return empty.length > 0
  }
  const run = (step: () => Promise<void>) =>
    work(async () => {
      setError(undefined)
      try {
        await step()
      } catch (refused) {
        setError(refused)
      }
    })
  const askForCode = () =>
    run(async () => {
      if (markEmpty('phone', 'nameWaba')) return
      const body = { phone: values.phone.trim(), nameWaba: values.nameWaba.trim(), method: way, ...pin }
      const { phone, displayPhone, state } = await api.numbers.addNumber({ body })
      if (state === 'connected') return connected(displayPhone || phone)
      setSentTo({ phone, shown: displayPhone || phone })
    })
  const confirm = () =>
    run(async () => {
      if (!sentTo || markEmpty('code')) return
      await api.numbers.confirmNumber({ body: { code: values.code.trim(), number: sentTo.phone, ...pin } })
      await connected(sentTo.shown)
    })
  const faultAt = (name: string) => (missing.includes(name) ? t('token.required') : faultBeside(error, name))
  const isBeside = fields.some(name => faultBeside(error, name) !== undefined)
  const wantsPin = values.pin !== '' || faultBeside(error, 'pin') !== undefined
  return (
    <Modal title={t('addNumber')} width={480} onClose={onClose}>
      <p className="lead">{sentTo ? t(`add.codeText.${way}`, { number: sentTo.shown }) : t('add.text')}</p>
      <DialogForm
        confirm={t(isWorking ? 'add.working' : sentTo ? 'add.confirm' : 'add.askCode')}
        isWorking={isWorking}
        onSubmit={sentTo ? confirm : askForCode}
        onCancel={onClose}
      >
        {sentTo ? (
          <Field
            key="code"
            label={t('add.code')}
            hint={t('add.codeHint')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            value={values.code}
            fault={faultAt('code') ?? faultBeside(error, 'number')}
            onChange={({ target }) => set({ code: target.value })}
          />
        ) : (
          <>
            <Field
              label={t('add.phone')}
              hint={t('add.phoneHint')}
              type="tel"
              autoComplete="off"
              maxLength={30}
              value={values.phone}
              fault={faultAt('phone')}
              onChange={({ target }) => set({ phone: target.value })}
            />
            <Field
              label={t('name.label')}
              hint={t('name.hint')}
              autoComplete="off"
              maxLength={verifiedNameMaxChars}
              value={values.nameWaba}
              fault={faultAt('nameWaba')}
              onChange={({ target }) => set({ nameWaba: target.value })}
            />
            <fieldset className="add-ways wrap">
              <legend>{t('add.way')}</legend>
              {(['sms', 'voice'] as const).map(one => (
                <label key={one}>
                  <input type="radio" name="way" checked={way === one} onChange={() => setWay(one)} />
                  {t(`add.by.${one}`)}
                </label>
              ))}
            </fieldset>
          </>
        )}
        {wantsPin ? (
          <Field
            label={t('name.pin')}
            hint={t('add.pinHint')}
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            value={values.pin}
            fault={faultAt('pin')}
            onChange={({ target }) => set({ pin: target.value.replace(/\D/g, '') })}
          />
        ) : null}
        {error && !isBeside ? <Fault>{failureText(error)}</Fault> : null}
        {sentTo ? (
          <button type="button" className="link" onClick={() => setSentTo(undefined)}>
            {t('add.again')}
          </button>
        ) : null}
      </DialogForm>
    </Modal>
  )
}

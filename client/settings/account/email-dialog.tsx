import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useViewer, viewerQuery } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { emailMax, emailPattern } from '#shared/auth/email-change.ts'
import { SecondCodeField } from '../second-factor/second-code-field.tsx'
import { secondFactorQuery } from './account-queries.ts'

interface FormProps {
  readonly isWorking: boolean
  readonly button: string
  readonly failure: string | undefined
  onSubmit(): void
  onClose(): void
  readonly children: ReactNode
}

function StepForm({ isWorking, button, failure, onSubmit, onClose, children }: FormProps) {
  return (
    <DialogForm confirm={button} isWorking={isWorking} onSubmit={onSubmit} onCancel={onClose}>
      {children}
      {failure ? <Fault>{failure}</Fault> : null}
    </DialogForm>
  )
}

const noCodes = { oldCode: '', newCode: '', secondCode: '' }

/** Changes the email address: the new one, then the codes mailed to both. */
export default function EmailDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('settings')
  const { user } = useViewer()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { since } = useAnswer(secondFactorQuery)
  // Fixed at opening, because the address changes before the dialog has closed.
  const [before] = useState(user.email)
  const [email, setEmail] = useState('')
  const [hasSent, setSent] = useState(false)
  const [codes, setCodes] = useState(noCodes)
  const [faults, setFaults] = useState<Readonly<Record<string, string | undefined>>>({})
  const [isWorking, work] = useWork()
  const firstCode = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (hasSent) firstCode.current?.focus()
  }, [hasSent])

  const tell = (error: unknown) => {
    const named = Object.fromEntries(
      ['email', 'oldCode', 'newCode', 'secondCode'].map(name => [name, fieldFault(error, `body.${name}`)]),
    )
    // Errors about the address are shown at its field.
    if (named.email) setSent(false)
    setFaults(Object.values(named).some(Boolean) ? named : { form: failureText(error) })
  }
  const send = () =>
    work(async () => {
      const address = email.trim()
      if (!new RegExp(emailPattern).test(address)) return setFaults({ email: t('emailChange.invalid') })
      setFaults({})
      try {
        await api.emailChange.sendEmailCodes({ body: { email: address } })
        setCodes(noCodes)
        setSent(true)
      } catch (error) {
        tell(error)
      }
    })
  const confirm = () =>
    work(async () => {
      const { oldCode, newCode, secondCode } = codes
      if (!oldCode.trim() || !newCode.trim()) return setFaults({ form: t('emailChange.missing') })
      if (since && !secondCode.trim()) return setFaults({ secondCode: t('secondFactor.secondCodeMissing') })
      setFaults({})
      try {
        const body = { email: email.trim(), oldCode, newCode, ...(since ? { secondCode } : {}) }
        await api.emailChange.changeEmail({ body })
      } catch (error) {
        return tell(error)
      }
      toast(t('emailChange.done', { email: email.trim().toLowerCase() }), { kind: 'success' })
      onClose()
      await client.invalidateQueries({ queryKey: viewerQuery.queryKey })
    })
  const codeField = (name: 'oldCode' | 'newCode', label: string) => (
    <Field
      ref={name === 'oldCode' ? firstCode : undefined}
      label={label}
      name={name}
      autoComplete="off"
      inputMode="numeric"
      maxLength={20}
      required
      value={codes[name]}
      fault={faults[name]}
      onChange={({ target }) => setCodes(all => ({ ...all, [name]: target.value }))}
    />
  )
  return (
    <Modal title={t('emailChange.change')} onClose={onClose}>
      {hasSent ? (
        <StepForm
          isWorking={isWorking}
          button={t('emailChange.confirm')}
          failure={faults.form}
          onSubmit={confirm}
          onClose={onClose}
        >
          {codeField('oldCode', t('emailChange.oldCode', { email: before }))}
          {codeField('newCode', t('emailChange.newCode', { email: email.trim() }))}
          <p className="field-hint">{t('emailChange.validity')}</p>
          {since ? (
            <SecondCodeField
              value={codes.secondCode}
              fault={faults.secondCode}
              onChange={secondCode => setCodes(all => ({ ...all, secondCode }))}
            />
          ) : null}
          <button type="button" className="link" onClick={() => setSent(false)} disabled={isWorking}>
            {t('emailChange.other')}
          </button>
        </StepForm>
      ) : (
        <StepForm
          isWorking={isWorking}
          button={t('emailChange.send')}
          failure={faults.form}
          onSubmit={send}
          onClose={onClose}
        >
          <p>{t('emailChange.explain')}</p>
          <Field
            label={t('emailChange.new')}
            name="email"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={emailMax}
            required
            value={email}
            fault={faults.email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </StepForm>
      )}
    </Modal>
  )
}

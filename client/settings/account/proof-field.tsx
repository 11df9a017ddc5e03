import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'

/** The proof sent with a change of credentials. */
interface Proof {
  readonly currentPassword?: string
  readonly code?: string
}

/** The typed proof. `way`: what is asked for. */
export interface ProofDraft {
  readonly way: 'password' | 'code'
  readonly text: string
}

/** Undefined: empty. */
export const proofOf = ({ way, text }: ProofDraft): Proof | undefined => {
  if (text.trim() === '') return undefined
  return way === 'password' ? { currentPassword: text } : { code: text.trim() }
}

interface ProofFieldProps {
  readonly draft: ProofDraft
  /** True if the person has a password to confirm with. */
  readonly hasPassword: boolean
  readonly fault: string | undefined
  onChange(draft: ProofDraft): void
}

/** Asks for the password, or for a code that it mails. */
export function ProofField({ draft, hasPassword, fault, onChange }: ProofFieldProps) {
  const { t } = useTranslation('settings')
  const { user } = useViewer()
  const api = useApi()
  const failureText = useFailureText()
  const [hasSent, setSent] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isSending, send] = useWork()
  const { email } = user
  const input = useRef<HTMLInputElement>(null)
  // The field appears after the code was mailed.
  useLayoutEffect(() => {
    if (hasSent) input.current?.focus()
  }, [hasSent])
  const sendCode = () =>
    send(async () => {
      setFailure(undefined)
      try {
        await api.passwords.sendPasswordCode({})
        setSent(true)
        onChange({ way: 'code', text: '' })
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const asksCode = draft.way === 'code'
  const sendLabel = hasSent ? t('password.resendCode') : asksCode ? t('password.sendCode') : t('password.useCode')
  return (
    <fieldset className="proof">
      <legend>{t('password.proof')}</legend>
      {asksCode && !hasSent ? null : (
        <Field
          key={draft.way}
          ref={input}
          label={asksCode ? t('password.code') : t('password.current')}
          name={asksCode ? 'code' : 'currentPassword'}
          type={asksCode ? 'text' : 'password'}
          inputMode={asksCode ? 'numeric' : undefined}
          autoComplete={asksCode ? 'one-time-code' : 'current-password'}
          maxLength={asksCode ? 20 : 256}
          hint={asksCode ? t('password.codeHint', { email }) : undefined}
          required
          value={draft.text}
          fault={fault}
          onChange={({ target }) => onChange({ ...draft, text: target.value })}
        />
      )}
      {asksCode && !hasSent && fault ? <Fault>{fault}</Fault> : null}
      {failure ? <Fault>{failure}</Fault> : null}
      <div className="row-between">
        <button type="button" className="link" onClick={sendCode} disabled={isSending}>
          {sendLabel}
        </button>
        {asksCode && hasPassword ? (
          <button type="button" className="link" onClick={() => onChange({ way: 'password', text: '' })}>
            {t('password.useCurrent')}
          </button>
        ) : null}
      </div>
      <p className="sr-only" role="status">
        {hasSent ? t('password.codeSent', { email }) : ''}
      </p>
    </fieldset>
  )
}

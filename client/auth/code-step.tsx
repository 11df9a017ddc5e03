import { useEffect, useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { sendCode, signIn } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { Field } from '#client/ui/controls/field.tsx'

const codeLength = 6
const resendWaitSeconds = 30

/** Seconds until another code may be requested. `restart` starts over. */
const useResendWait = () => {
  const [seconds, setSeconds] = useState(resendWaitSeconds)
  useEffect(() => {
    if (seconds === 0) return
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000)
    return () => clearTimeout(timer)
  }, [seconds])
  return { seconds, restart: () => setSeconds(resendWaitSeconds) }
}

interface CodeStepProps {
  readonly email: string
  onEntered(): void
  onOtherEmail(): void
}

/** One field for all digits, so that pasting, the phone's suggestion and password managers work. */
export function CodeStep({ email, onEntered, onOtherEmail }: CodeStepProps) {
  const { t } = useTranslation('auth')
  const failureText = useFailureText()
  const { writesMail } = useFacts().site
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string>()
  const [hasResent, setResent] = useState(false)
  const [isEntered, setEntered] = useState(false)
  const [isChecking, check] = useTransition()
  const wait = useResendWait()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])

  const submit = (digits: string) =>
    check(async () => {
      if (digits.length !== codeLength) return setFault(t('code.incomplete'))
      try {
        await signIn(email, digits)
        setEntered(true)
        onEntered()
      } catch (error) {
        setCode('')
        setFault(failureText(error))
        input.current?.focus()
      }
    })
  const type = (text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, codeLength)
    setCode(digits)
    setFault(undefined)
    if (digits.length === codeLength && digits !== code && !isChecking) submit(digits)
  }
  const resend = () =>
    check(async () => {
      try {
        await sendCode(email)
        setResent(true)
        setFault(undefined)
        wait.restart()
      } catch (error) {
        setFault(failureText(error))
      }
      input.current?.focus()
    })

  const isBusy = isChecking || isEntered
  return (
    <form className="stack" noValidate action={() => submit(code)}>
      <div>
        <h1>{t('code.heading')}</h1>
        <p className="lead">
          {t('code.sentTo')} <strong>{email}</strong>
        </p>
      </div>
      <Field
        ref={input}
        className="code-input"
        label={t('code.label')}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        pattern="[0-9]*"
        placeholder="000000"
        required
        readOnly={isBusy}
        value={code}
        fault={fault}
        hint={t(writesMail ? 'code.hintFiles' : 'code.hint')}
        onChange={({ target }) => type(target.value)}
      />
      <button type="submit" className="button button-primary button-wide" disabled={isBusy}>
        {isBusy ? t('code.checking') : t('code.enter')}
      </button>
      <div className="row-between">
        <button type="button" className="link" onClick={onOtherEmail} disabled={isBusy}>
          {t('code.otherEmail')}
        </button>
        <button type="button" className="link" onClick={resend} disabled={isBusy || wait.seconds > 0}>
          {wait.seconds > 0 ? t('code.resendIn', { seconds: wait.seconds }) : t('code.resend')}
        </button>
      </div>
      <p className="sr-only" role="status">
        {hasResent ? t('code.resent') : ''}
      </p>
    </form>
  )
}

import { useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { signInWithPassword } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useEarlyInput } from '#client/ui/controls/early-input.ts'
import { Field } from '#client/ui/controls/field.tsx'
import { passwordMax } from '#shared/auth/password-rules.ts'

interface PasswordStepProps {
  /** The address of the email form. */
  readonly codeAddress: string
  onEntered(): void
}

/** Username and password in one form, so that password managers fill both. */
export function PasswordStep({ codeAddress, onEntered }: PasswordStepProps) {
  const { t } = useTranslation('auth')
  const failureText = useFailureText()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const [fault, setFault] = useState<string>()
  const [isEntered, setEntered] = useState(false)
  const [isChecking, check] = useTransition()
  const nameInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  useEarlyInput(nameInput, setUsername)
  useEarlyInput(passwordInput, setPassword)
  const refuse = (text: string, input: typeof nameInput) => {
    setFault(text)
    input.current?.focus()
  }
  // From the form, because a submit from before hydration is replayed.
  const submit = (form: FormData) =>
    check(async () => {
      const name = String(form.get('username') ?? '').trim()
      const secret = String(form.get('password') ?? '')
      if (!name) return refuse(t('password.missing'), nameInput)
      if (!secret) return refuse(t('password.missing'), passwordInput)
      try {
        await signInWithPassword(name, secret)
        setEntered(true)
        onEntered()
      } catch (error) {
        setPassword('')
        refuse(failureText(error), passwordInput)
      }
    })
  const isBusy = isChecking || isEntered
  return (
    <form className="stack" noValidate action={submit}>
      <div>
        <h1>{t('password.heading')}</h1>
        <p className="lead">{t('password.text')}</p>
      </div>
      <Field
        ref={nameInput}
        label={t('password.username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        required
        autoFocus
        value={username}
        onChange={({ target }) => setUsername(target.value)}
      />
      <Field
        ref={passwordInput}
        label={t('password.password')}
        name="password"
        type={isShown ? 'text' : 'password'}
        autoComplete="current-password"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={passwordMax}
        required
        value={password}
        fault={fault}
        onChange={({ target }) => {
          setPassword(target.value)
          setFault(undefined)
        }}
      />
      <label className="check">
        <input type="checkbox" checked={isShown} onChange={({ target }) => setShown(target.checked)} />
        {t('password.show')}
      </label>
      <button type="submit" className="button button-primary button-wide" disabled={isBusy}>
        {isBusy ? t('password.entering') : t('password.enter')}
      </button>
      <Link className="link" to={codeAddress}>
        {t('password.withCode')}
      </Link>
    </form>
  )
}

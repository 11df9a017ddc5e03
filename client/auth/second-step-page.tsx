import { useLayoutEffect, useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, replace, useSearchParams } from 'react-router'
import { callAuth, signOut } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { queryFor, settle } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { PublicFrame } from '#client/shell/public-frame.tsx'
import { useEarlyInput } from '#client/ui/controls/early-input.ts'
import { Field } from '#client/ui/controls/field.tsx'
import type { SecondStepWay } from '#shared/auth/second-factor.ts'
import { paths, safeReturnTo } from '#shared/kernel/paths.ts'

const stepQuery = queryFor(undefined, 'secondFactor.getSecondStep', {})

/** Redirects people who need no second step. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { isMissing } = await settle<{ isMissing: boolean }>(args, stepQuery)
  if (isMissing) return null
  const returnTo = new URL(args.request.url).searchParams.get('returnTo')
  throw replace(safeReturnTo(returnTo) ?? paths.home())
}

const addresses: Readonly<Record<SecondStepWay, string>> = {
  app: '/two-factor/verify-totp',
  mail: '/two-factor/verify-otp',
  backup: '/two-factor/verify-backup-code',
}

/** The second step of signing in: a code of the app, a backup code, or a mailed code after a password. */
export default function SecondStepPage() {
  const { t } = useTranslation('auth')
  const failureText = useFailureText()
  const [query] = useSearchParams()
  const { ways, email } = useAnswer(stepQuery)
  const [way, setWay] = useState<SecondStepWay>('app')
  const [code, setCode] = useState('')
  const [trustDevice, setTrust] = useState(false)
  const [fault, setFault] = useState<string>()
  const [isEntered, setEntered] = useState(false)
  const [hasSent, setSent] = useState(false)
  const [isWorking, work] = useTransition()
  const input = useRef<HTMLInputElement>(null)
  useEarlyInput(input, setCode)
  useLayoutEffect(() => {
    // Does not move the caret of text typed before hydration.
    if (way && document.activeElement !== input.current) input.current?.focus()
  }, [way])

  const choose = (next: SecondStepWay) =>
    work(async () => {
      setFault(undefined)
      try {
        if (next === 'mail') await callAuth('/two-factor/send-otp', {})
      } catch (error) {
        return setFault(failureText(error))
      }
      setSent(next === 'mail')
      setCode('')
      setWay(next)
    })
  // From the form, because a submit from before hydration is replayed.
  const submit = (form: FormData) =>
    work(async () => {
      const written = String(form.get('code') ?? '').trim()
      if (!written) return setFault(t('secondStep.missing'))
      try {
        await callAuth(addresses[way], { code: written, trustDevice })
        setEntered(true)
        // A full page load, because data cached before the second step is incomplete.
        location.replace(safeReturnTo(query.get('returnTo')) ?? paths.home())
      } catch (error) {
        setCode('')
        setFault(failureText(error))
        input.current?.focus()
      }
    })
  const startOver = () =>
    work(async () => {
      try {
        await signOut()
        location.replace(paths.login())
      } catch (error) {
        setFault(failureText(error))
      }
    })

  const isBusy = isWorking || isEntered
  const isBackup = way === 'backup'
  const labels = { app: t('secondStep.useApp'), mail: t('secondStep.useMail'), backup: t('secondStep.useBackup') }
  return (
    <PublicFrame title={t('secondStep.title')}>
      <form className="stack" noValidate action={submit}>
        <div>
          <h1>{t(`secondStep.${way}`)}</h1>
          <p className="lead">{t(`secondStep.${way}Text`, { email })}</p>
        </div>
        <Field
          key={way}
          ref={input}
          className="code-input"
          label={isBackup ? t('secondStep.backupCode') : t('secondStep.code')}
          name="code"
          autoComplete={isBackup ? 'off' : 'one-time-code'}
          autoCapitalize="none"
          spellCheck={false}
          inputMode={isBackup ? 'text' : 'numeric'}
          maxLength={20}
          required
          readOnly={isBusy}
          value={code}
          fault={fault}
          onChange={({ target }) => {
            setCode(target.value)
            setFault(undefined)
          }}
        />
        <label className="check">
          <input type="checkbox" checked={trustDevice} onChange={({ target }) => setTrust(target.checked)} />
          <span>
            {t('secondStep.trust')} <span className="field-hint">{t('secondStep.trustHint')}</span>
          </span>
        </label>
        <button type="submit" className="button button-primary button-wide" disabled={isBusy}>
          {isBusy ? t('secondStep.checking') : t('secondStep.enter')}
        </button>
        {ways
          .filter(other => other !== way)
          .map(other => (
            <button key={other} type="button" className="link" onClick={() => choose(other)} disabled={isBusy}>
              {labels[other]}
            </button>
          ))}
        <button type="button" className="link" onClick={startOver} disabled={isBusy}>
          {t('secondStep.otherAccount')}
        </button>
        <p className="sr-only" role="status">
          {hasSent ? t('secondStep.sent', { email }) : ''}
        </p>
      </form>
    </PublicFrame>
  )
}

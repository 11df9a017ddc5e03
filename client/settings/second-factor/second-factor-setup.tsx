import { useWork } from '#client/app/calls/use-work.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import './second-factor.css'
import '../account/password.css'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { twoFactor } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { QrCode } from '#client/ui/pictures/qr-code.tsx'
import { passwordQuery, secondFactorQuery } from '../account/account-queries.ts'
import { type ProofDraft, ProofField, proofOf } from '../account/proof-field.tsx'
import { sessionsQuery } from '../account/sessions.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { SecondCodeField } from './second-code-field.tsx'

interface StepProps {
  /** An error, beside the field or below. */
  readonly fault: string | undefined
  readonly isWorking: boolean
  onCancel?(): void
}

interface ProveProps extends StepProps {
  /** True if an existing second factor confirms the person's identity. */
  readonly replaces: boolean
  onProof(proof: Parameters<typeof twoFactor.enable>[0] | undefined): void
}

/** Confirms the person's identity. */
function ProveStep({ replaces, fault, isWorking, onCancel, onProof }: ProveProps) {
  const { t } = useTranslation('settings')
  const { hasPassword } = useAnswer(passwordQuery)
  const [draft, setDraft] = useState<ProofDraft>({ way: hasPassword ? 'password' : 'code', text: '' })
  const [secondCode, setSecondCode] = useState('')
  const submit = () => {
    if (!replaces) return onProof(proofOf(draft))
    onProof(secondCode.trim() ? { secondCode: secondCode.trim() } : undefined)
  }
  return (
    <DialogForm confirm={t('secondFactor.continue')} isWorking={isWorking} onSubmit={submit} onCancel={onCancel}>
      <p>{t('secondFactor.othersEnd')}</p>
      {replaces ? (
        <SecondCodeField value={secondCode} fault={fault} onChange={setSecondCode} />
      ) : (
        <ProofField draft={draft} hasPassword={hasPassword} fault={fault} onChange={setDraft} />
      )}
    </DialogForm>
  )
}

interface ScanProps extends StepProps {
  readonly made: { secret: string; totpURI: string }
  onCode(code: string): void
}

/** Shows the secret for the app, and asks for a code of it. */
function ScanStep({ made, fault, isWorking, onCancel, onCode }: ScanProps) {
  const { t } = useTranslation('settings')
  const [code, setCode] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <DialogForm
      confirm={t('secondFactor.confirm')}
      isWorking={isWorking}
      onSubmit={() => onCode(code.trim())}
      onCancel={onCancel}
    >
      <p>{t('secondFactor.scan')}</p>
      <QrCode text={made.totpURI} label={t('secondFactor.qr')} />
      <p>{t('secondFactor.byHand')}</p>
      <div className="setup-key line">
        <code>{made.secret.match(/.{1,4}/g)?.join(' ')}</code>
        <CopyButton
          value={made.secret}
          label={t('secondFactor.copyKey')}
          done={t('secondFactor.keyCopied')}
          failed={t('secondFactor.notCopied')}
        />
      </div>
      <Field
        ref={input}
        label={t('secondFactor.code')}
        hint={t('secondFactor.codeHint')}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={10}
        required
        value={code}
        fault={fault}
        onChange={({ target }) => setCode(target.value)}
      />
    </DialogForm>
  )
}

interface SetupProps {
  readonly replaces: boolean
  onCancel?(): void
  /** Called when it is enabled and backup codes are shown. */
  onCodes?(): void
  /** The backup codes were noted. */
  onDone(): void
}

/** Sets up an authenticator app: confirmation, secret, code, backup codes. */
export function SecondFactorSetup({ replaces, onCancel, onCodes, onDone }: SetupProps) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const failureText = useFailureText()
  const [made, setMade] = useState<{ secret: string; totpURI: string }>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [fault, setFault] = useState<string>()
  const [isWorking, work] = useWork()
  const attempt = (run: () => Promise<unknown>) =>
    work(async () => {
      setFault(undefined)
      try {
        await run()
      } catch (error) {
        const named = ['body.code', 'body.secondCode', 'body.currentPassword'].map(field => fieldFault(error, field))
        setFault(named.find(Boolean) ?? failureText(error))
      }
    })
  const cancel = onCancel ? { onCancel } : {}
  if (codes) return <BackupCodes codes={codes} onKept={onDone} />
  if (made)
    return (
      <ScanStep
        made={made}
        fault={fault}
        isWorking={isWorking}
        {...cancel}
        onCode={code =>
          code === ''
            ? setFault(t('secondFactor.codeMissing'))
            : attempt(async () => {
                const { backupCodes } = await twoFactor.confirm(code)
                setCodes(backupCodes)
                onCodes?.()
                toast(t('secondFactor.enabled'), { kind: 'success' })
                await client.invalidateQueries({ queryKey: secondFactorQuery.queryKey })
                await client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
              })
        }
      />
    )
  return (
    <ProveStep
      replaces={replaces}
      fault={fault}
      isWorking={isWorking}
      {...cancel}
      onProof={proof =>
        proof === undefined
          ? setFault(t(replaces ? 'secondFactor.secondCodeMissing' : 'password.proofMissing'))
          : attempt(async () => setMade(await twoFactor.enable(proof)))
      }
    />
  )
}

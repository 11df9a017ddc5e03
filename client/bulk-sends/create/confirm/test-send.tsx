import { Suspense, useEffect, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import { recipientStates } from '#shared/bulk-sends/states.ts'
import { sendQuery } from '../../queries.ts'
import { useSendEvents } from '../../use-send-events.ts'
import { keepNumber, readKeptNumber } from './kept-number.ts'

/** The test's outcome so far. */
function Outcome({ id }: { id: string }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  useSendEvents(slug)
  const { counts, reason, groups } = useAnswer(sendQuery(slug, id))
  if (reason) return <Fault>{t(`blocked.${reason}`)}</Fault>
  const state = recipientStates.find(one => counts[one] > 0) ?? 'planned'
  if (state === 'failed') return <Fault>{groups[0]?.message ?? t('recipient.failed')}</Fault>
  return (
    <p role="status">
      <Icon name="tick" /> {t('test.says', { state: t(`recipient.${state}`) })}
    </p>
  )
}

interface TestSendProps {
  /** Undefined: something is missing. */
  readonly request: PlanInput | undefined
  /** Called when the request is incomplete: opens the step with the missing field. */
  onMissing(): void
  onSent(request: PlanInput): void
}

/** Sends the first recipient's message to the person's own number. */
export function TestSend({ request, onMissing, onSent }: TestSendProps) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const api = useApi()
  const failureText = useFailureText()
  const [number, setNumber] = useState('')
  // The browser's storage is unknown while the server renders.
  useEffect(() => setNumber(before => before || readKeptNumber(slug)), [slug])
  const [sent, setSent] = useState<{ readonly id: string; readonly of: PlanInput }>()
  const [fault, setFault] = useState<string>()
  const [isSending, send] = useTransition()
  const submit = () =>
    send(async () => {
      setFault(undefined)
      if (!request) return onMissing()
      if (!number.trim()) return setFault(t('test.missing'))
      try {
        const { id } = await api.bulkSends.sendTest(
          { body: { ...request, number: number.trim() } },
          { idempotencyKey: crypto.randomUUID() },
        )
        keepNumber(slug, number.trim())
        setSent({ id, of: request })
        onSent(request)
      } catch (error) {
        setFault(fieldFault(error, 'body.number') ? t('omission.invalidNumber') : failureText(error))
      }
    })
  return (
    <>
      <p className="field-hint">{t('test.why')}</p>
      <div className="bulk-test wrap">
        <Field
          label={t('test.number')}
          hint={t('test.hint')}
          inputMode="tel"
          autoComplete="tel"
          maxLength={40}
          value={number}
          {...(fault ? { fault } : {})}
          onChange={({ target }) => {
            setNumber(target.value)
            setFault(undefined)
          }}
        />
        <button type="button" className="button" aria-disabled={isSending} onClick={() => isSending || submit()}>
          <Icon name="send" />
          {t('test.send')}
        </button>
      </div>
      {sent && sent.of === request ? (
        <Suspense fallback={null}>
          <Outcome key={sent.id} id={sent.id} />
        </Suspense>
      ) : null}
    </>
  )
}

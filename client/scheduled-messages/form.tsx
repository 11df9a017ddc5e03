import { useWork } from '#client/app/calls/use-work.ts'
import './scheduled.css'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { MomentField } from '#client/ui/controls/moment-input.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import { zoneCity } from '#client/ui/text/time-zone-label.ts'
import { textMaxChars } from '#shared/kernel/limits.ts'
import { timeOfWall, wallTime } from '#shared/kernel/time.ts'
import type { ScheduledMessage } from '#shared/scheduled-messages/api.ts'
import { quickChoices } from './moments.ts'
import { scheduledQuery } from './query.ts'
import { useMomentText } from './use-moment-text.ts'

interface ScheduleFormProps {
  readonly phone: string
  /** Their window closes at this time. Null: they never wrote. */
  readonly windowClosesAt: string | null
  /** Absent: a new one. */
  readonly scheduled?: ScheduledMessage
  /** Initial text of a new one. */
  readonly text?: string
  onSaved(): void
  onCancel(): void
}

/** The form of a scheduled message and its time. */
export function ScheduleForm({
  phone,
  windowClosesAt,
  scheduled,
  text: begun = '',
  onSaved,
  onCancel,
}: ScheduleFormProps) {
  const { t } = useTranslation('inbox')
  const id = useId()
  const { slug } = useOrg()
  const { now, timeZone } = useMoment()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const momentText = useMomentText()
  const [key] = useState(() => crypto.randomUUID())
  const [text, setText] = useState(scheduled?.text ?? begun)
  const [wall, setWall] = useState(scheduled && !scheduled.held ? wallTime(Date.parse(scheduled.at), timeZone) : '')
  const [cancelOnReply, setCancelOnReply] = useState(scheduled?.cancelOnReply ?? false)
  const [fault, setFault] = useState<{ readonly of: 'text' | 'at' | 'all'; readonly says: string }>()
  const [isSaving, save] = useWork()
  const at = timeOfWall(wall, timeZone)
  const isAfterWindow = at !== undefined && at > (windowClosesAt ?? '')

  const submit = () => {
    if (!text.trim()) return setFault({ of: 'text', says: t('scheduled.textMissing') })
    if (!at || Date.parse(at) <= now) return setFault({ of: 'at', says: t('scheduled.atMissing') })
    save(async () => {
      const body = { text: text.trim(), at, cancelOnReply }
      try {
        await (scheduled
          ? api.scheduledMessages.changeScheduled({ params: { phone, id: scheduled.id }, body })
          : api.scheduledMessages.schedule({ params: { phone }, body }, { idempotencyKey: `${key}-${at}` }))
      } catch (error) {
        return setFault({ of: 'all', says: failureText(error) })
      }
      await client.invalidateQueries({ queryKey: scheduledQuery(slug, phone).queryKey })
      toast(t('scheduled.saved', { when: momentText(at) }), { kind: 'success' })
      onSaved()
    })
  }
  return (
    <DialogForm confirm={t('scheduled.save')} isWorking={isSaving} onSubmit={submit} onCancel={onCancel}>
      <div className="field">
        <label htmlFor={id}>{t('scheduled.text')}</label>
        <textarea
          dir="auto"
          id={id}
          rows={4}
          maxLength={textMaxChars}
          value={text}
          aria-invalid={fault?.of === 'text'}
          onChange={({ target }) => {
            setText(target.value)
            setFault(undefined)
          }}
        />
        {fault?.of === 'text' ? <Fault>{fault.says}</Fault> : null}
      </div>
      <div className="scheduled-quick wrap">
        {quickChoices(now, timeZone).map(choice => (
          <button
            key={choice.name}
            type="button"
            className="button"
            aria-pressed={choice.wall === wall}
            onClick={() => {
              setWall(choice.wall)
              setFault(undefined)
            }}
          >
            {t(`scheduled.quick.${choice.name}`)}
          </button>
        ))}
      </div>
      <MomentField
        label={t('scheduled.at')}
        hint={t('scheduled.zone', { zone: zoneCity(timeZone) })}
        timeZone={timeZone}
        min={wallTime(now, timeZone)}
        value={wall}
        {...(fault?.of === 'at' ? { fault: fault.says } : {})}
        onChange={next => {
          setWall(next)
          setFault(undefined)
        }}
      />
      <label className="check scheduled-check">
        <input type="checkbox" checked={cancelOnReply} onChange={({ target }) => setCancelOnReply(target.checked)} />
        {t('scheduled.cancelOnReply')}
      </label>
      {isAfterWindow ? (
        <p className="scheduled-warning" role="status">
          <Icon name="clock" />
          <span>{t('scheduled.afterWindow')}</span>
        </p>
      ) : null}
      {fault?.of === 'all' ? <Fault>{fault.says}</Fault> : null}
    </DialogForm>
  )
}

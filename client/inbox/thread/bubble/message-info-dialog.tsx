import './message-info-dialog.css'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { MessageInfo } from '#shared/inbox/message-info.ts'
import type { Message } from '#shared/inbox/messages.ts'
import type { Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { exactTime } from '#shared/kernel/time.ts'

interface MessageInfoDialogProps {
  readonly org: string
  readonly message: Message
  readonly timeZone: string
  onClose(): void
}

type Say = (iso: string) => string

const Failure = ({ error, detail }: Pick<MessageInfo, 'error' | 'detail'>) => {
  const { t } = useTranslation('inbox')
  if (!error && !detail) return null
  return (
    <>
      {error ? <span>{error.message}</span> : null}
      <small>
        {[error ? t('info.code', { code: error.code }) : null, detail ? t('info.theirWords', { words: detail }) : null]
          .filter(Boolean)
          .join(' · ')}
      </small>
    </>
  )
}

const Copied = ({ name, value, label }: { name: string; value: string; label: string }) => {
  const { t } = useTranslation('inbox')
  return (
    <div className="info-copied">
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>
        <span className="cut">{value}</span>
        <CopyButton value={value} label={label} done={t('info.copied')} failed={t('info.notCopied')} />
      </dd>
    </div>
  )
}

const Times = ({ info, text, say }: { info: MessageInfo; text: string; say: Say }) => {
  const { t } = useTranslation('inbox')
  const { at, sentAt, deliveredAt, readAt, failedAt } = info
  const steps = [
    [t('info.written'), at],
    [t('info.sent'), sentAt],
    ...(failedAt
      ? []
      : ([
          [t('info.delivered'), deliveredAt],
          [t('info.read'), readAt],
        ] as const)),
  ] as const
  return (
    <dl className="info-times">
      {steps.map(([name, time]) => (
        <div key={name}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>{time ? <time dateTime={time}>{say(time)}</time> : t('info.notYet')}</dd>
        </div>
      ))}
      {failedAt ? (
        <div className="info-failed">
          <dt>{t('info.failed')}</dt>
          <dd>
            <time dateTime={failedAt}>{say(failedAt)}</time>
            <Failure {...info} />
          </dd>
        </div>
      ) : null}
      {text ? <Copied name={t('info.text')} value={text} label={t('info.copyText')} /> : null}
      {info.wamid ? <Copied name={t('info.id')} value={info.wamid} label={t('info.copyId')} /> : null}
    </dl>
  )
}

const Attempts = ({ attempts, say }: Pick<MessageInfo, 'attempts'> & { say: Say }) => {
  const { t } = useTranslation('inbox')
  if (!attempts.length) return null
  return (
    <section aria-label={t('info.attempts')}>
      <h3>{t('info.attempts')}</h3>
      <ol className="info-attempts">
        {attempts.map(attempt => (
          <li key={attempt.startedAt}>
            <span>
              <time dateTime={attempt.startedAt}>{say(attempt.startedAt)}</time>
              {' · '}
              {t(`info.outcome.${attempt.outcome}`)}
            </span>
            <Failure {...attempt} />
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Details of our message: times of its statuses, each request to WhatsApp, and WhatsApp's error texts. */
export default function MessageInfoDialog({ org, message, timeZone, onClose }: MessageInfoDialogProps) {
  const { t, i18n } = useTranslation('inbox')
  const failureText = useFailureText()
  // Reloaded at each opening, because it changes meanwhile.
  const { data: info, error } = useQuery({
    ...queryFor(org, 'messageInfo.getMessageInfo', { params: { id: message.id } }),
    staleTime: 0,
  })
  // With seconds, because the order matters.
  const say: Say = iso => exactTime(iso, i18n.language as Language, timeZone)
  return (
    <Modal title={t('info.title')} onClose={onClose}>
      {error ? <Fault>{failureText(error)}</Fault> : null}
      {info ? (
        <>
          {info.author ? <p>{t('info.by', { name: info.author })}</p> : null}
          {info.bulkSend ? (
            <p>
              <Link to={paths.bulkSend(org, info.bulkSend)}>{t('info.bulkSend')}</Link>
            </p>
          ) : null}
          <Times info={info} text={message.text} say={say} />
          <Attempts attempts={info.attempts} say={say} />
        </>
      ) : error ? null : (
        <span className="skeleton skeleton-rows content-skeleton" />
      )}
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {t('info.close')}
        </button>
      </div>
    </Modal>
  )
}

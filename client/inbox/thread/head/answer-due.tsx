import type { InboxT } from '#client/inbox/words.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import { answerDueIn } from '#shared/inbox/answer-due.ts'
import { clockTime } from '#shared/kernel/time.ts'

/** Shows the time left for the promised first response, or how late it is. Shows nothing after a day. */
export const AnswerDue = ({ dueAt, t }: { dueAt: string; t: InboxT }) => {
  const { now, timeZone } = useMoment()
  const due = answerDueIn(dueAt, now)
  if (!due) return null
  return (
    <span
      className={`chip head-due ${due.isLate ? 'chip-red' : ''}`}
      title={t('row.answerBy', { time: clockTime(dueAt, timeZone) })}
    >
      <Icon name={due.isLate ? 'warn' : 'clock'} />
      <span className="sr-only">{t('row.firstAnswer')}</span>
      {t(due.isLate ? 'row.answerLate' : 'row.answerLeft', { time: due.time })}
    </span>
  )
}

import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { StateChip } from './integration-card.tsx'
import { readable } from './readable.ts'
import type { CardState } from './states.ts'
import './log.css'

interface LogEntryProps {
  readonly state: CardState
  readonly says: string
  /** The time of the call: `at` in ISO 8601, `shownAt` in words. */
  readonly at: string
  readonly shownAt: string
  /** The button that repeats the call, if it can be repeated. */
  readonly again: ReactNode
  /** The contents, rendered only while the entry is open. */
  readonly children: ReactNode
}

/** One call of a log, folded: its state, what it was, and when. */
export function LogEntry({ state, says, at, shownAt, again, children }: LogEntryProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <li>
      <details onToggle={event => setIsOpen(event.currentTarget.open)}>
        <summary>
          <StateChip state={state} />
          <b dir="auto">{says}</b>
          <time dateTime={at}>{shownAt}</time>
        </summary>
        {isOpen ? (
          <div className="log-entry stack-m">
            {children}
            {again}
          </div>
        ) : null}
      </details>
    </li>
  )
}

/** The body that was sent or answered. */
export const LogBody = ({ body }: { readonly body: string }) => <pre className="log-body">{readable(body)}</pre>

interface LogProps {
  readonly name: string
  /** Undefined: not loaded. */
  readonly count: number | undefined
  readonly empty: string
  readonly list: Parameters<typeof MoreButton>[0]['list'] & { readonly error: unknown }
  /** The error of the last action. */
  readonly failure: string | undefined
  /** The `LogEntry` elements. */
  readonly children: ReactNode
}

/** A log, newest first: loading, empty, failed, and its next pages. */
export function Log({ name, count, empty, list, failure, children }: LogProps) {
  const { t } = useTranslation('integrations')
  const failureText = useFailureText()
  const fault = failure ?? (list.error ? failureText(list.error) : undefined)
  return (
    <>
      {fault ? <Fault>{fault}</Fault> : null}
      {count === 0 ? <p className="small">{empty}</p> : null}
      {count === undefined && !fault ? <span className="skeleton skeleton-rows log-skeleton" /> : null}
      {count ? (
        <ul className="log" aria-label={name}>
          {children}
        </ul>
      ) : null}
      <MoreButton list={list} more={t('hooks.more')} failed={t('hooks.moreFailed')} />
    </>
  )
}

interface ShownOnceProps {
  readonly value: string
  readonly copy: string
  readonly copied: string
}

/** A secret or an address that is shown once, to copy. */
export function ShownOnce({ value, copy, copied }: ShownOnceProps) {
  const { t: common } = useTranslation()
  return (
    <div className="shown-once line">
      <code>{value}</code>
      <CopyButton value={value} label={copy} done={copied} failed={common('webhook.copyFailed')} />
    </div>
  )
}

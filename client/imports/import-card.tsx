import type { TFunction } from 'i18next'
import { useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isApiError } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { LazyConfirm } from '#client/ui/overlays/lazy-confirm.tsx'
import { keepPlace } from '#client/ui/overlays/place-kept.ts'
import type { ChatImport } from '#shared/imports/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { shortDate, shortTime } from '#shared/kernel/time.ts'
import { bytesText } from '#shared/media/sent-files.ts'
import { ArchiveForm } from './archive-form.tsx'
import { Chats } from './chats.tsx'
import { MappingForm } from './mapping-form.tsx'
import { Report } from './report.tsx'
import { Steps } from './steps.tsx'

const chips = { done: 'chip chip-green', failed: 'chip chip-red', paused: 'chip chip-amber' } as const
const chipOf = (state: ChatImport['state']) => (state in chips ? chips[state as keyof typeof chips] : 'chip')

/** The text for a failure: what happened, whether anything was lost, and what to do next. */
const failureOf = (t: TFunction<'imports'>, { state, failure, undoUntil }: ChatImport, source: string): string => {
  if (failure === null) return ''
  if (state === 'paused' && (failure === 'broken' || failure === 'storage')) return t(`failure.${failure}Paused`)
  const said = t(`failure.${failure}`, { source })
  return state === 'failed' && undoUntil === null ? `${said} ${t('nothingCame')}` : said
}

/** Its file is here, and could still be imported. */
const canStillCome = ({ state, size }: ChatImport) =>
  size !== null && /^(?:uploading|reading|ready|paused)$/.test(state)

/** Says how much came from another program. */
function Fetching(props: { readonly fetching: NonNullable<ChatImport['fetching']>; readonly isUnderWay: boolean }) {
  const { t } = useTranslation('imports')
  const { done, total } = props.fetching
  return (
    <div className="import-sending">
      <progress aria-label={t('fetching.progress')} max={Math.max(total, 1)} value={done} />
      <span>{total ? t('fetching.chats', { done, total }) : t('fetching.contacts')}</span>
      {props.isUnderWay ? <span className="import-who">{t('fetching.keepOn')}</span> : null}
    </div>
  )
}

/** One import, as far as it is. */
export function ImportCard({ one, onChanged }: { readonly one: ChatImport; onChanged(): void }) {
  const { t } = useTranslation('imports')
  const { language, timeZone } = useFacts()
  const { slug } = useOrg()
  const api = useApi()
  const failureText = useFailureText()
  const [fault, setFault] = useState<string>()
  const [asks, setAsks] = useState<'undo' | 'discard'>()
  const [isWorking, work] = useTransition()
  const card = useRef<HTMLElement>(null)
  /** The control that was pressed is about to disappear, or has. */
  const onActed = () => {
    const { activeElement } = document
    if (card.current?.contains(activeElement) || activeElement === document.body) card.current?.closest('li')?.focus()
    onChanged()
  }
  const { id, state, progress } = one
  const params = { id }
  const run = (act: () => Promise<unknown>) =>
    work(async () => {
      setFault(undefined)
      try {
        await act()
        onActed()
      } catch (error) {
        setFault(failureText(error))
      }
    })
  const discard = async () => {
    try {
      await api.imports.discard({ params })
    } catch (error) {
      // Another tab was faster.
      if (!isApiError(error) || error.status !== 404) throw error
    }
    onChanged()
  }
  const name = one.fileName ?? t('noName')
  const number = new Intl.NumberFormat(language)
  const source = t(`choose.source.${one.source}`)
  const isFetching = state === 'reading' && one.fetching !== undefined
  const stateText = isFetching ? t('fetching.state') : t(one.undoing ? 'undoing' : `state.${state}`)
  const Mapping = one.source === 'whatsapp' ? MappingForm : ArchiveForm
  const button = (key: 'pause' | 'resume' | 'retry', act: () => Promise<unknown>) => (
    <button type="button" className="button" aria-disabled={isWorking} onClick={() => isWorking || run(act)}>
      {t(`act.${key}`)}
    </button>
  )
  const discardButton = one.isDiscardable ? (
    <button
      type="button"
      className="button"
      aria-disabled={isWorking}
      onClick={() => {
        if (isWorking) return
        if (canStillCome(one)) return setAsks('discard')
        const goOn = keepPlace()
        run(() => discard().then(goOn))
      }}
    >
      {t('act.discard')}
    </button>
  ) : null
  return (
    <section ref={card} className="card stack" aria-label={name}>
      <div className="card-head">
        <h2 className="import-name" dir="auto">
          {name}
        </h2>
        <span className={chipOf(state)} role="status">
          {stateText}
        </span>
      </div>
      <p className="import-who">
        {t('who', { source, author: one.author, at: shortTime(one.createdAt, language, timeZone) })}
      </p>
      <Steps one={one} />
      {one.failure ? <Fault>{failureOf(t, one, source)}</Fault> : null}
      {one.fetching ? <Fetching fetching={one.fetching} isUnderWay={isFetching} /> : null}
      {(state === 'running' || state === 'paused') && !one.fetching ? (
        <div className="import-sending">
          <progress aria-label={t('progress')} max={Math.max(progress.total, 1)} value={progress.done} />
          <span>{t('done', { done: number.format(progress.done), total: number.format(progress.total) })}</span>
        </div>
      ) : null}
      {state === 'uploading' && one.size !== null ? (
        <p>{t('unfinished', { received: bytesText(one.received), size: bytesText(one.size) })}</p>
      ) : null}
      {state === 'ready' ? (
        <Mapping key={one.found?.archive?.account} one={one} onChanged={onActed} discard={discardButton} />
      ) : null}
      {state === 'done' ? <Report one={one} /> : null}
      {state === 'done' ? <Chats id={id} /> : null}
      {fault ? <Fault>{fault}</Fault> : null}
      <div className="card-buttons">
        {(state === 'running' && !one.undoing) || isFetching
          ? button('pause', () => api.imports.pause({ params }))
          : null}
        {state === 'paused' ? button('resume', () => api.imports.resume({ params })) : null}
        {one.canRetry ? button('retry', () => api.imports.preview({ params })) : null}
        {one.chat && state === 'done' ? (
          <Link className="button" to={paths.chat(slug, one.chat)}>
            {t('act.chat')}
          </Link>
        ) : null}
        {one.undoUntil ? (
          <button type="button" className="button" onClick={() => setAsks('undo')}>
            {t('act.undo', { until: shortDate(one.undoUntil, language, timeZone) })}
          </button>
        ) : null}
        {state === 'ready' ? null : discardButton}
      </div>
      {asks === 'undo' ? (
        <LazyConfirm
          title={t('undo.title')}
          says={[
            t('undo.says', {
              messages: number.format(one.taken.messages),
              files: number.format(one.taken.files),
              contacts: number.format(one.taken.contacts),
            }),
            t('undo.stays'),
          ]}
          confirm={t('undo.confirm')}
          run={async () => {
            await api.imports.undo({ params })
            onChanged()
          }}
          onClose={() => setAsks(undefined)}
        />
      ) : null}
      {asks === 'discard' ? (
        <LazyConfirm
          title={t('discard.title')}
          says={
            one.address === null
              ? [t('discard.says'), t('discard.again')]
              : [t('discard.saysFetched'), t('discard.fetchAgain')]
          }
          confirm={t('act.discard')}
          run={discard}
          onClose={() => setAsks(undefined)}
        />
      ) : null}
    </section>
  )
}

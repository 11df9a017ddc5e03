import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { fullTime } from '#shared/kernel/time.ts'
import type { Connection } from '#shared/numbers/api.ts'
import type { NumberStanding } from '#shared/numbers/standing.ts'
import { Checks, type NumberAction } from './checks.tsx'
import { refreshConnection } from './queries.ts'
import { StandingFigures } from './standing-figures.tsx'
import { standingQuery } from './standing-queries.ts'

const TokenDialog = lazyDialog(() => import('./token-dialog.tsx'))
const NameDialog = lazyDialog(() => import('./name-dialog.tsx'))
const DisconnectDialog = lazyDialog(() => import('./disconnect-dialog.tsx'))

const newsChips = { info: 'chip', warning: 'chip chip-amber', bad: 'chip chip-red' } as const

/** Meta's notices about the account, latest first. */
function AccountNews({ news }: { news: NumberStanding['news'] }) {
  const { t } = useTranslation('integrations')
  const { language, timeZone } = useFacts()
  if (!news.length) return null
  return (
    <section className="card" aria-labelledby="account-news">
      <div className="card-head">
        <div>
          <h2 id="account-news">{t('news.title')}</h2>
          <p className="connection-why">{t('news.text')}</p>
        </div>
      </div>
      <ul className="account-news">
        {news.map(({ level, at, says }) => (
          <li key={`${at} ${says}`}>
            <p>{says}</p>
            <span className={newsChips[level]}>{t(`news.${level}`)}</span>
            <time className="standing-note" dateTime={at}>
              {fullTime(at, language, timeZone)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface StandingCardProps {
  /** Undefined: the only number. */
  readonly id: string | undefined
  /** Absent: read-only. */
  readonly connection: Connection | undefined
  readonly name: string
  readonly hasOthers: boolean
}

/** A number's state at Meta, with a button to check again. */
export function StandingCard({ id, connection, name, hasOthers }: StandingCardProps) {
  const { t } = useTranslation('integrations')
  const { language, timeZone } = useFacts()
  const org = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const query = standingQuery(org.slug, id)
  const standing = useAnswer(query)
  const [open, setOpen] = useState<NumberAction>()
  const [failure, setFailure] = useState<string>()
  const checkButton = useRef<HTMLButtonElement>(null)
  const [isAsking, ask] = useTransition()
  const close = () => setOpen(undefined)
  const which = { query: id === undefined ? {} : { id } }
  const run = (work: () => Promise<NumberStanding>, done?: string) =>
    ask(async () => {
      setFailure(undefined)
      try {
        client.setQueryData(query.queryKey, await work())
        if (done) toast(done, { kind: 'success' })
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const check = () => run(() => api.numberStanding.readStanding(which))
  /** Connecting the simulator again creates new keys. */
  const reconnectSandbox = () => {
    // The pressed button disappears.
    checkButton.current?.focus()
    run(async () => {
      await api.numbers.connectSandbox({})
      await refreshConnection(client, org.slug)
      return api.numberStanding.readStanding(which)
    }, t('standing.reconnected'))
  }
  const openAction = (action: NumberAction) =>
    action === 'token' && connection?.kind === 'sandbox' ? reconnectSandbox() : setOpen(action)
  const wrong = standing.checks.filter(({ state }) => state === 'bad' || state === 'warning').length
  return (
    <>
      <section className="card" aria-labelledby="standing">
        <div className="card-head">
          <h2 id="standing" className="standing-number">
            <bdi>{name}</bdi>
          </h2>
        </div>
        <StandingFigures standing={standing} />
        {failure ? <Fault>{failure}</Fault> : null}
        {connection ? (
          <div className="card-buttons standing-buttons">
            <button
              ref={checkButton}
              type="button"
              className="button button-primary"
              aria-disabled={isAsking}
              onClick={() => isAsking || check()}
            >
              {t(isAsking ? 'standing.checking' : 'standing.check')}
            </button>
            {connection.kind === 'cloud' ? (
              <button type="button" className="button" onClick={() => setOpen('token')}>
                {t('token.open')}
              </button>
            ) : (
              <>
                {connection.status === 'connected' ? null : (
                  <button
                    type="button"
                    className="button"
                    aria-disabled={isAsking}
                    onClick={() => isAsking || reconnectSandbox()}
                  >
                    {t('standing.reconnectSandbox')}
                  </button>
                )}
                <Link className="button" to={`${paths.companyCreation()}?org=${org.slug}&step=number`}>
                  {t('connectReal')}
                </Link>
              </>
            )}
            <button type="button" className="button" onClick={() => setOpen('name')}>
              {t('name.open')}
            </button>
            <button type="button" className="button button-red" onClick={() => setOpen('disconnect')}>
              {t('disconnect.open')}
            </button>
          </div>
        ) : null}
        <p className="standing-note" role="status">
          {standing.readAt
            ? t('standing.readAt', { when: fullTime(standing.readAt, language, timeZone) })
            : t('standing.neverRead')}
        </p>
      </section>
      <AccountNews news={standing.news} />
      <section className="card" aria-labelledby="checks">
        <div className="card-head">
          <div>
            <h2 id="checks">{t('standing.checks')}</h2>
            <p className="connection-why">{t('standing.wrong', { count: wrong })}</p>
          </div>
        </div>
        <Checks
          checks={standing.checks}
          mayMend={connection !== undefined}
          isMending={isAsking}
          isSandbox={connection?.kind === 'sandbox'}
          onSubscribe={() => run(() => api.numberStanding.subscribe(which), t('standing.subscribed'))}
          onOpen={openAction}
        />
      </section>
      {connection && open === 'token' ? <TokenDialog connection={connection} onClose={close} /> : null}
      {connection && open === 'name' ? <NameDialog connection={connection} onClose={close} /> : null}
      {connection && open === 'disconnect' ? (
        <DisconnectDialog connection={connection} hasOthers={hasOthers} onClose={close} />
      ) : null}
    </>
  )
}

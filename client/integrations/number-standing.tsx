import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Connection } from '#shared/numbers/api.ts'
import { StandingFigures } from './standing-figures.tsx'
import { standingQuery } from './standing-queries.ts'

interface NumberStandingProps {
  /** Undefined: the only number. */
  readonly id: string | undefined
  /** The status of the connection. When it changes, the figures are loaded again. */
  readonly status: Connection['status']
  /** Below the figures. */
  readonly children: ReactNode
  /** The button before the one that checks, which then is quiet. */
  readonly mend: ReactNode
  /** The buttons behind it. */
  readonly actions: ReactNode
}

/** Shows a number's figures at Meta and what is wrong with it, and offers to check again. */
export function NumberStanding({ id, status, children, mend, actions }: NumberStandingProps) {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const query = standingQuery(slug, id)
  const { data: standing, error } = useQuery(query)
  const [failure, setFailure] = useState<string>()
  const read = useRef(status)
  useEffect(() => {
    if (read.current === status) return
    read.current = status
    void client.invalidateQueries({ queryKey: query.queryKey })
  }, [client, query.queryKey, status])
  const [isChecking, check] = useTransition()
  const begin = () =>
    check(async () => {
      setFailure(undefined)
      try {
        const which = { query: id === undefined ? {} : { id } }
        client.setQueryData(query.queryKey, await api.numberStanding.readStanding(which))
      } catch (refusal) {
        setFailure(failureText(refusal))
      }
    })
  const wrong = standing?.checks.filter(({ state }) => state === 'bad' || state === 'warning') ?? []
  // The notice above says it already.
  const shown = status === 'connected' ? wrong : wrong.filter(({ id: check }) => check !== 'token')
  const refusal = failure ?? (error ? failureText(error) : undefined)
  return (
    <>
      {standing ? (
        <StandingFigures standing={standing} />
      ) : error ? null : (
        <span className="skeleton skeleton-rows standing-skeleton" />
      )}
      {shown.length ? (
        <ul className="standing-wrong integration-part">
          {shown.map(one => (
            <li key={one.id} className={`standing-wrong-${one.state}`}>
              <Icon name="warn" />
              <p>
                <b>{one.title}</b> {one.says}
              </p>
            </li>
          ))}
        </ul>
      ) : null}
      {refusal ? <Fault>{refusal}</Fault> : null}
      {children}
      <div className="integration-foot">
        {mend}
        <button
          type="button"
          className={mend ? 'link' : 'button'}
          aria-disabled={isChecking}
          onClick={() => isChecking || begin()}
        >
          {t(isChecking ? 'standing.checking' : 'standing.check')}
        </button>
        {actions}
        {standing ? (
          <span className="standing-note" role="status">
            {standing.readAt ? t('standing.wrong', { count: wrong.length }) : t('standing.neverRead')}
          </span>
        ) : null}
      </div>
    </>
  )
}

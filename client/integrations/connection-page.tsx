import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { type EndpointReply, settle, start } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { OrgClock, orgClockQuery } from '#client/shell/org-clock.tsx'
import { wabaQuery } from '#client/shell/org-queries.ts'
import { findOrg, requireViewer, useOrg } from '#client/shell/viewer.ts'
import type { ReplyOf } from '#shared/kernel/contract.ts'
import { paths } from '#shared/kernel/paths.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import type { Connection, numbersApi } from '#shared/numbers/api.ts'
import { FacebookCard } from './facebook-card.tsx'
import { NumbersCard } from './numbers-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { connectionsQuery, managesConnection, refreshConnection } from './queries.ts'
import { RoundTrip } from './round-trip.tsx'
import { StandingCard } from './standing-card.tsx'
import { profileQuery, refreshStanding, standingQuery } from './standing-queries.ts'
import { WebhookLines } from './webhook-lines.tsx'
import './connection.css'

type Waba = ReplyOf<typeof numbersApi.getWaba>

/** The connected numbers if there are several, and the selected one. Undefined: the only one. */
const chosenOf = (waba: Waba, asked: string | null) => {
  const numbers = (waba.numbers ?? []).filter(({ status }) => status !== null)
  if (numbers.length < 2) return { numbers: [], number: undefined }
  return { numbers, number: numbers.find(({ id }) => id === asked) ?? numbers[0] }
}

export const loader = async (args: LoaderFunctionArgs) => {
  const org = findOrg(await requireViewer(args), args.params.org)
  // The frame refuses other organizations.
  if (!org) return null
  const waba = await settle<EndpointReply<'numbers.getWaba'>>(args, wabaQuery(org.slug))
  if (waba.phone === null) return null
  const { number } = chosenOf(waba, new URL(args.request.url).searchParams.get('n'))
  const looks = [standingQuery(org.slug, number?.id), profileQuery(org.slug, number?.id), orgClockQuery(org.slug)]
  return start(args, ...looks, ...(managesConnection(org.role) ? [connectionsQuery(org.slug)] : []))
}

interface LookingProps {
  readonly waba: Waba
  /** Absent for read-only people. */
  readonly items?: readonly Connection[]
}

function Looking({ waba, items }: LookingProps) {
  const { t } = useTranslation('integrations')
  const [query] = useSearchParams()
  const { numbers, number } = chosenOf(waba, query.get('n'))
  const connection = items && (number ? items.find(({ id }) => id === number.id) : items[0])
  const name = number?.label || number?.displayPhone || waba.displayPhone || waba.phone || ''
  const mayChange = connection !== undefined
  const numbersCard = (
    <NumbersCard
      numbers={numbers}
      chosen={number?.id}
      mayChange={items !== undefined}
      isSandbox={waba.kind === 'sandbox'}
    />
  )
  return (
    <>
      {numbers.length ? numbersCard : null}
      <StandingCard
        key={`standing ${number?.id}`}
        id={number?.id}
        connection={connection}
        name={name}
        hasOthers={numbers.length > 1}
      />
      {numbers.length ? null : numbersCard}
      <ProfileCard
        key={`profile ${number?.id}`}
        id={number?.id}
        name={number?.verifiedName ?? waba.verifiedName ?? name}
        mayChange={mayChange}
      />
      {connection ? <RoundTrip key={`round trip ${number?.id}`} id={number?.id} /> : null}
      {connection ? (
        <section className="card" aria-labelledby="for-meta">
          <div className="card-head">
            <div>
              <h2 id="for-meta">{t('forMeta.title')}</h2>
              <p className="connection-why">{t('forMeta.text')}</p>
            </div>
          </div>
          <dl className="facts-list">
            <dt>{t('phoneNumberId')}</dt>
            <dd>{connection.phoneNumberId}</dd>
            <dt>{t('wabaId')}</dt>
            <dd>{connection.wabaId}</dd>
          </dl>
          <WebhookLines connection={connection} />
        </section>
      ) : null}
    </>
  )
}

function Managed({ waba }: { waba: Waba }) {
  const { slug } = useOrg()
  const { items } = useAnswer(connectionsQuery(slug))
  return <Looking waba={waba} items={items} />
}

/** `/org/{slug}/settings/whatsapp`: the numbers' state at Meta, and their profile for customers. */
export default function ConnectionPage() {
  const { t } = useTranslation('integrations')
  const { slug, role } = useOrg()
  const client = useQueryClient()
  const waba = useAnswer(wabaQuery(slug))
  const refresh = () => void Promise.all([refreshConnection(client, slug), refreshStanding(client, slug)])
  useEvents({ connection: refresh }, refresh)
  const manages = managesConnection(role)
  return (
    <>
      <title>{`WhatsApp · ${PRODUCT_NAME}`}</title>
      {waba.phone === null ? (
        <section className="card">
          <p>{t('noNumber')}</p>
          <div className="card-buttons">
            <Link className="button button-primary" to={`${paths.companyCreation()}?org=${slug}`}>
              {t('connect')}
            </Link>
          </div>
        </section>
      ) : (
        <Suspense fallback={<span className="skeleton skeleton-rows content-skeleton" />}>
          <OrgClock>{manages ? <Managed waba={waba} /> : <Looking waba={waba} />}</OrgClock>
        </Suspense>
      )}
      {manages ? <FacebookCard /> : null}
    </>
  )
}

import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useMatches, useParams, useSearchParams } from 'react-router'
import { queryFor } from '#client/app/queries/queries.ts'
import { useKnownAnswer } from '#client/app/queries/use-answer.ts'
import type { PageHandle } from '#client/app/routes/page-route.tsx'
import { useLinkPresses } from '#client/ui/page/link-presses.ts'

/** Shows the customer's name once the chat page has loaded it; until then the number. Requests nothing itself. */
function ChatName() {
  const { org, phone = '' } = useParams()
  const data = useKnownAnswer(queryFor(org, 'inbox.getConversation', { params: { phone } }))
  return (
    <span suppressHydrationWarning dir="auto">
      {data?.name || data?.displayPhone || phone}
    </span>
  )
}

/** Shows a bulk send's name once its page has loaded it. */
function BulkSendName() {
  const { t } = useTranslation('shell')
  const { org, idSend = '' } = useParams()
  const send = useKnownAnswer(queryFor(org, 'bulkSends.get', { params: { id: idSend } }))
  return (
    <span suppressHydrationWarning dir="auto">
      {send?.name ?? t('nav.bulkSend')}
    </span>
  )
}

/** The name of the template in the address. */
function TemplateName() {
  const { t } = useTranslation('shell')
  const { org, idTemplate = '' } = useParams()
  const template = useKnownAnswer(queryFor(org, 'templates.get', { params: { id: idTemplate } }))
  return (
    <span suppressHydrationWarning dir="auto">
      {template?.name ?? t('nav.template')}
    </span>
  )
}

/** The name of the flow in the address. */
function FlowName() {
  const { t } = useTranslation('shell')
  const { org, idFlow = '' } = useParams()
  const flow = useKnownAnswer(queryFor(org, 'flows.get', { params: { id: idFlow } }))
  return (
    <span suppressHydrationWarning dir="auto">
      {flow?.name ?? t('nav.flow')}
    </span>
  )
}

/** Members or teams: one page with two tabs. */
function PeopleName() {
  const { t } = useTranslation('shell')
  const [query] = useSearchParams()
  return t(query.get('tab') === 'teams' ? 'nav.teams' : 'nav.members')
}

const names = {
  chat: ChatName,
  bulkSend: BulkSendName,
  template: TemplateName,
  flow: FlowName,
  people: PeopleName,
} as const

type Crumb = NonNullable<PageHandle['crumb']>
const isName = (crumb: Crumb): crumb is keyof typeof names => Object.hasOwn(names, crumb)

function CrumbText({ crumb }: { crumb: Crumb }) {
  const { t } = useTranslation('shell')
  if (!isName(crumb)) return t(crumb)
  const Name = names[crumb]
  return <Name />
}

/** Shows the section and the page in it. */
export function Breadcrumb() {
  const { t } = useTranslation('shell')
  const press = useLinkPresses()
  const steps = useMatches().flatMap(({ id, handle, pathname }) => {
    const crumb = (handle as PageHandle | undefined)?.crumb
    return crumb ? [{ id, crumb, pathname }] : []
  })
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link's key is a click
    <nav className="crumbs grow" aria-label={t('head.breadcrumb')} onClick={press}>
      <ol>
        {steps.map(({ id, crumb, pathname }, index) => {
          const isLast = index === steps.length - 1
          const text = <CrumbText crumb={crumb} />
          return (
            <Fragment key={id}>
              {index > 0 ? (
                <li className="crumbs-mark" aria-hidden="true">
                  ›
                </li>
              ) : null}
              <li>{isLast ? <span aria-current="page">{text}</span> : <a href={pathname}>{text}</a>}</li>
            </Fragment>
          )
        })}
      </ol>
    </nav>
  )
}

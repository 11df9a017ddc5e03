import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useMatches, useParams } from 'react-router'
import { useLinkPresses } from '#client/ui/page/link-presses.ts'
import { queryFor } from '../app/queries.ts'
import type { PageHandle } from '../app/routes/page-route.tsx'
import { useKnownAnswer } from '../app/use-answer.ts'

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
          const text = crumb === 'chat' ? <ChatName /> : t(crumb)
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

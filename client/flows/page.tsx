import { useSuspenseQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs } from 'react-router'
import { paths } from '#shared/paths.ts'
import { maxCounted } from '#shared/stats.ts'
import { factsContext, useFacts } from '../facts.ts'
import { queryFor, start } from '../queries.ts'
import { useOrg } from '../shell/viewer.ts'
import { countText } from '../ui/count.ts'
import { Empty } from '../ui/empty.tsx'
import { SheetHead } from '../ui/sheet-head.tsx'

const overviewQuery = (org: string, timeZone: string) => queryFor(org, 'stats.getOverview', { query: { timeZone } })

export const loader = (args: LoaderFunctionArgs) =>
  start(args, overviewQuery(args.params.org ?? '', args.context.get(factsContext).timeZone))

/** Without flows every conversation is answered by people: how many wait for one. */
function WhoAnswers() {
  const { t, i18n } = useTranslation('flows')
  const { slug } = useOrg()
  const { timeZone } = useFacts()
  const { open, waiting } = useSuspenseQuery(overviewQuery(slug, timeZone)).data
  const said = (key: 'open' | 'waiting', count: number) =>
    t(key, { count, shown: countText(count, maxCounted, i18n.language) })
  return <p>{`${said('open', open)}; ${said('waiting', waiting)}.`}</p>
}

/** `/org/{slug}/flow`: what answers by itself here, which is nothing yet. */
export default function FlowsPage() {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  return (
    <main className="sheet">
      <SheetHead title={t('title')}>{t('text')}</SheetHead>
      <Empty
        icon="flow"
        says={t('none')}
        action={
          <Link className="button" to={paths.chats(slug)}>
            {t('toChats')}
          </Link>
        }
      >
        <Suspense fallback={<span className="skeleton empty-line" />}>
          <WhoAnswers />
        </Suspense>
      </Empty>
    </main>
  )
}

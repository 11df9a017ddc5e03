import { useParams, useSearchParams } from 'react-router'
import { useKnownAnswer } from '#client/app/queries/use-answer.ts'
import { usePages } from '#client/app/queries/use-paged-list.ts'
import { isNarrowed, type ListFilter, readListFilter } from './list/list-filter.ts'
import { NextSteps } from './list/next-steps.tsx'
import { conversationsQuery, listPartsQuery } from './queries.ts'
import { NoThread } from './thread/thread.tsx'

/** True if nobody has written yet: both the list and the archive are empty. */
const useNobodyYet = (org: string, filter: ListFilter): boolean => {
  const list = usePages(conversationsQuery(org, filter, ''))
  const parts = useKnownAnswer(listPartsQuery(org))
  return parts?.archived.count === 0 && list.data?.pages.every(({ items }) => items.length === 0) === true
}

const WholeList = ({ org, filter }: { org: string; filter: ListFilter }) =>
  useNobodyYet(org, filter) ? (
    <section className="thread">
      <NextSteps />
    </section>
  ) : (
    <NoThread />
  )

/** `/org/{slug}/c`: the list without an open chat. If nobody has written yet, shows what to do. */
export default function InboxIndexPage() {
  const { org = '' } = useParams()
  const [query] = useSearchParams()
  const filter = readListFilter(query)
  return filter.search || isNarrowed(filter) ? <NoThread /> : <WholeList org={org} filter={filter} />
}

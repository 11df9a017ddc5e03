import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { useLasting } from '#client/ui/page/steady.ts'
import { shortCount } from '#client/ui/text/short-count.ts'
import type { Segment } from '#shared/contacts/segments.ts'
import type { Language } from '#shared/kernel/language.ts'

/** An older count is requested again. */
const countedForMs = 5 * 60_000

interface SegmentCountProps {
  readonly segment: Segment
  /** The earlier segments have been counted. */
  readonly mayCount: boolean
  /** Called after a failed count, too. */
  onCounted(): void
}

/**
 * Says how many contacts a segment has. They are counted in the browser only, so that the page does not wait for it.
 */
export function SegmentCount({ segment: { id, filter }, mayCount, onCounted }: SegmentCountProps) {
  const { i18n } = useTranslation()
  const { slug } = useOrg()
  const api = useApi()
  const { data, isFetched } = useQuery({
    queryKey: [...keyFor(slug, 'bulkSends.countSegment'), id],
    queryFn: ({ signal }) => api.bulkSends.countSegment({ body: { filter } }, { signal }),
    staleTime: countedForMs,
    retry: false,
    enabled: mayCount && typeof window !== 'undefined',
  })
  const tell = useLasting(onCounted)
  useEffect(() => {
    if (isFetched) tell()
  }, [isFetched, tell])
  return (
    <small className="segment-count">
      {data ? shortCount(data.count, i18n.language as Language, data.isMore) : ''}
    </small>
  )
}

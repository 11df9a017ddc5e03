import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { queryFor } from '#client/app/queries/queries.ts'
import { slugPattern } from '#shared/orgs/api.ts'

const slugForm = new RegExp(slugPattern)
type SlugState = 'empty' | 'invalid' | 'reserved' | 'taken' | 'checking' | 'free' | 'own'

/** Whether an address is available: its form at once, the rest from the server shortly after the last letter. */
export const useSlugState = (slug: string, own: string | undefined): SlugState => {
  const settled = useDeferredValue(slug)
  const { data } = useQuery({
    ...queryFor(undefined, 'orgs.checkSlug', { params: { slug: settled } }),
    enabled: slugForm.test(settled) && settled !== own,
    staleTime: 5_000,
  })
  if (slug === '') return 'empty'
  if (slug === own) return 'own'
  if (!slugForm.test(slug)) return 'invalid'
  if (settled !== slug || !data) return 'checking'
  return data.available ? 'free' : (data.reason ?? 'taken')
}

export const isBadSlug = (state: SlugState): state is 'invalid' | 'reserved' | 'taken' =>
  state === 'invalid' || state === 'reserved' || state === 'taken'

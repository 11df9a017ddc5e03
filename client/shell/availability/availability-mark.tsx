import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useEvents } from '../live-provider.tsx'
import { useOrg, useViewer } from '../viewer.ts'
import { availabilityQuery } from './availability-query.ts'

/** Shows below the person's name that they get no conversations, so that they do not forget to come back. */
export default function AvailabilityMark() {
  const { t } = useTranslation('shell')
  const { slug } = useOrg()
  const { id } = useViewer().user
  const client = useQueryClient()
  const { data } = useQuery(availabilityQuery(slug))
  const refresh = () => void client.invalidateQueries({ queryKey: availabilityQuery(slug).queryKey })
  useEvents({ availability: refresh, organization: refresh }, refresh)
  const own = data?.items.find(({ userId }) => userId === id)
  if (!own || own.isAvailable) return null
  return <span>{t(own.state === 'away' ? 'availability.isAway' : 'availability.isClosed')}</span>
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import { type AvailabilityState, availabilityStates } from '#shared/inbox/assignment.ts'
import { useOrg, useViewer } from '../viewer.ts'
import { availabilityQuery } from './availability-query.ts'

const icons: Readonly<Record<AvailabilityState, IconName>> = { hours: 'clock', available: 'tick', away: 'bellOff' }

/** Lets the user set their availability, in the account menu. */
export default function AvailabilityItems() {
  const { t } = useTranslation('shell')
  const { slug } = useOrg()
  const { id } = useViewer().user
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { data } = useQuery(availabilityQuery(slug))
  const own = data?.items.find(({ userId }) => userId === id)
  if (!own) return null
  const be = async (state: AvailabilityState) => {
    try {
      await api.assignment.setAvailability({ body: { state } })
      toast(t(`availability.now.${state}`), { kind: 'success' })
    } catch (error) {
      toast(failureText(error), { kind: 'error' })
    }
    await client.invalidateQueries({ queryKey: availabilityQuery(slug).queryKey })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a menu
    <div className="menu-part" role="group" aria-label={t('availability.label')}>
      {availabilityStates.map(state => (
        <MenuItem key={state} checked={own.state === state} onClick={() => void be(state)}>
          <Icon name={icons[state]} />
          {t(`availability.${state}`)}
        </MenuItem>
      ))}
    </div>
  )
}

import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { StateChip } from './integration-card.tsx'
import {
  type CardState,
  useApiState,
  useIncomingState,
  useMovingState,
  useWebhooksState,
  useWhatsAppState,
} from './states.ts'

/** An index of the cards with their states, shown where the cards stand in one column. Nobody has to scroll to see what is wrong. */
export function CardIndex({ isManager }: { readonly isManager: boolean }) {
  const { t } = useTranslation('integrations')
  const whatsapp = useWhatsAppState()
  const webhooks = useWebhooksState()
  const api = useApiState()
  const incoming = useIncomingState()
  const moving = useMovingState()
  const cards: readonly { readonly id: string; readonly title: string; readonly state?: CardState | undefined }[] = [
    { id: 'whatsapp', title: 'WhatsApp', state: whatsapp },
    ...(isManager
      ? [
          { id: 'outgoing-webhooks', title: t('hooks.title'), state: webhooks },
          { id: 'api', title: 'API', state: api },
          { id: 'incoming-hooks', title: t('incoming.title'), state: incoming },
        ]
      : []),
    { id: 'recipes', title: 'n8n, Make, Zapier' },
    { id: 'moving', title: t('moving.title'), state: moving },
  ]
  return (
    <nav className="card integration-index" aria-label={t('index')}>
      <ul>
        {cards.map(({ id, title, state }) => (
          <li key={id}>
            <Link to={`#${id}`} replace>
              {title}
            </Link>
            {state ? <StateChip state={state} /> : null}
          </li>
        ))}
      </ul>
    </nav>
  )
}

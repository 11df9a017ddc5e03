import './voice.css'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'

/** Offers a recording the browser cannot play as a download. */
export function BrokenRecording({ src }: { src: string }) {
  const { t } = useTranslation('inbox')
  return (
    <span className="voice-player voice-broken">
      <Icon name="warn" />
      <a href={src} download>
        {t('voice.broken')}
      </a>
    </span>
  )
}

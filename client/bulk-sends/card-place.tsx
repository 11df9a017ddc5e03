import { useTranslation } from 'react-i18next'

/** Says which of a carousel's cards this is. Those beyond the edge are counted, too. */
export function CardPlace({ at, all }: { readonly at: number; readonly all: number }) {
  const { t } = useTranslation('bulk-sends')
  return <small className="fine">{t('preview.at', { at: at + 1, all })}</small>
}
